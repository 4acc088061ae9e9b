local layers = 3
assert(layers < 3, "this scheme needs fewer than 3 layers")
