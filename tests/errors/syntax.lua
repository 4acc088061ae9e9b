local grid = cartesian { axes = "xyz"
  fastest = "x" }
