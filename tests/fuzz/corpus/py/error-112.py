x = yield = 5
