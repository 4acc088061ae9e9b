while true do field "f" end

