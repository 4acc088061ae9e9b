error("far away", 1000000)

