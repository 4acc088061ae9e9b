string.rep = function() while true do end end

