package scene

import (
	"strings"

	"github.com/g3n/engine/renderer/shaders"

	"github.com/meniscus3d/meniscus/assets"
)

// Names of the shader programs, prefixed so that they never meet a game's own.
const (
	waterProgram   = "meniscus.water"
	exitProgram    = "meniscus.exit"
	dropletProgram = "meniscus.droplet"
	copyProgram    = "meniscus.copy"
	showProgram    = "meniscus.show"
	skyProgram     = "meniscus.sky"
	panelProgram   = "meniscus.panel"
	causticProgram = "meniscus.caustic"
	tileProgram    = "meniscus.tile"
	fillProgram    = "meniscus.fill"
	wireProgram    = "meniscus.wire"
)

// programs maps each program to its vertex and fragment source in assets.
var programs = []struct{ name, vertex, fragment string }{
	{waterProgram, "surface_vertex", "water_fragment"},
	{exitProgram, "surface_vertex", "exit_fragment"},
	{dropletProgram, "droplet_vertex", "droplet_fragment"},
	{copyProgram, "screen_vertex", "copy_fragment"},
	{showProgram, "screen_vertex", "show_fragment"},
	{skyProgram, "screen_vertex", "sky_fragment"},
	{panelProgram, "panel_vertex", "panel_fragment"},
	{causticProgram, "caustic_vertex", "caustic_fragment"},
	{fillProgram, "screen_vertex", "fill_fragment"},
	{tileProgram, "tile_vertex", "tile_fragment"},
	{wireProgram, "wire_vertex", "wire_fragment"},
}

// g3n's default registry is filled before any renderer exists, so that a game's own
// rend.Render finds the programs after AddDefaultShaders, which app.App calls.
func init() {
	for _, p := range programs {
		shaders.AddShader("meniscus."+p.vertex, source(p.vertex))
		shaders.AddShader("meniscus."+p.fragment, source(p.fragment))
		shaders.AddProgram(p.name, "meniscus."+p.vertex, "meniscus."+p.fragment)
	}
}

// register gives rend the programs; needed when it was made without AddDefaultShaders.
func register(rend Renderer) {
	for _, p := range programs {
		rend.AddShader("meniscus."+p.vertex, source(p.vertex))
		rend.AddShader("meniscus."+p.fragment, source(p.fragment))
		rend.AddProgram(p.name, "meniscus."+p.vertex, "meniscus."+p.fragment)
	}
}

// source returns an embedded shader with its imports put first.
func source(name string) string {
	data, err := assets.Shaders.ReadFile("shaders/" + name + ".glsl")
	if err != nil {
		panic("scene: " + err.Error())
	}
	text := string(data)
	var b strings.Builder
	for strings.HasPrefix(text, "//import ") {
		line, rest, _ := strings.Cut(text, "\n")
		b.WriteString(source(strings.TrimPrefix(line, "//import ")))
		text = rest
	}
	b.WriteString(text)
	return b.String()
}
