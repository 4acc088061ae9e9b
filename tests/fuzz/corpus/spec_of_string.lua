local x = "
