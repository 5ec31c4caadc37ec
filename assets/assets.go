// Package assets holds the data that the scene package draws with, embedded in the binary.
package assets

import "embed"

// Shaders are the GLSL sources, without a #version line. A file that starts with
// "//import name" lines needs shaders/name.glsl before it.
//
//go:embed shaders/*.glsl
var Shaders embed.FS
