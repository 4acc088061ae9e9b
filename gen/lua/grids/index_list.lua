-- The geometry of a list of points: none.  What joins its points are lists that the program gives to create, which looks
-- at them.

local index_list = {}

function index_list.joins()
  return {}
end

return index_list
