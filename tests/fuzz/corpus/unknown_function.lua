local half = math.flor(2.5)
