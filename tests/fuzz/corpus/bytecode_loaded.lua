load("\27Lua")()
