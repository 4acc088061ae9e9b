local grid = cartesain { axes = "xyz" }
