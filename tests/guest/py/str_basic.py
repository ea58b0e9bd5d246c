s = "hello"
print(s, len(s), s + " world", s * 3, "" * 5, 2 * "ab")
print(s[0], s[-1], s[1:3], s[:2], s[3:], s[:], s[-3:-1], s[10:], s[3:1])
print("ell" in s, "x" in s, "" in s, "z" not in s)
print(s == "hello", s != "hello", "a" < "b", "abc" < "abd", "ab" < "abc", "Z" < "a")
print('single', "dou'ble", 'quo"te', """triple""", 'a' 'b')
