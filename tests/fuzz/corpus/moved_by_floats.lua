table.move({}, 1.0, "1e15", 2)
