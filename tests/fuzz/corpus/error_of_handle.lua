error(field "u" {})
