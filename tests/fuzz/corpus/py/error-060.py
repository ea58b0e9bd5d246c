x = 12ab
