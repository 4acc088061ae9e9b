local grid = cartesian { "axes" = "xyz" }
