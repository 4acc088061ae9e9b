-- In place of gen/lua/base/diagnostic.lua while halogen is built: `halogen diagnostic WHAT --templates gen/integration` prints
-- what the module WHAT beside this folder makes of the tables that halogen has in it.

return { run = function(what) host.print((require(what))) end }
