field(field(field "u" {}) {}) {}
