0#if __has_builtin(__builtin_memcpy) && !__has_builtin(foo) && __has_attribute(noreturn) && __has_attribute(__packed__) && !__has_attribute(bogus) && __has_feature(capabilities)
y
#endif
