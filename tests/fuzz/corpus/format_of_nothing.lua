local x = ("%d"):format({})
