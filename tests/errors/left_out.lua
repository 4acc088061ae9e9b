local name = "u_v"
local first = name:match("^%a")
