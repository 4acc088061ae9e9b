for k in pairs(cartesian { axes = "x" }) do end
