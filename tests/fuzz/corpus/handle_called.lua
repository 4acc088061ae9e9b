local u = field "u" {}
u {}
