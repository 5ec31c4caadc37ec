//go:build check

package graph

// Checking tells that the module is built with the tag check: then every graph is checked before it is solved.
const Checking = true
