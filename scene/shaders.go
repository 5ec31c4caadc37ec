package scene

import (
	"strings"

	"github.com/g3n/engine/renderer/shaders"

	"github.com/meniscus3d/meniscus/assets"
)

// Names of the shader programs, prefixed so that they never meet a game's own.
const (
	waterProgram       = "meniscus.water"
	dropletProgram     = "meniscus.droplet"
	sprayProgram       = "meniscus.spray"
	bubbleProgram      = "meniscus.bubble"
	behindProgram      = "meniscus.behind"
	foamProgram        = "meniscus.foam"
	intervalProgram    = "meniscus.interval"
	frontProgram       = "meniscus.front"
	lastProgram        = "meniscus.last"
	openProgram        = "meniscus.open"
	beyondProgram      = "meniscus.beyond"
	shaftsProgram      = "meniscus.shafts"
	shaftSmoothProgram = "meniscus.shaftsmooth"
	insideProgram      = "meniscus.inside"
	meniscusProgram    = "meniscus.meniscus"
	dropProgram        = "meniscus.drop"
	bloomFirstProgram  = "meniscus.bloomfirst"
	bloomProgram       = "meniscus.bloom"
	pictureProgram     = "meniscus.picture"
	showProgram        = "meniscus.show"
	skyProgram         = "meniscus.sky"
	panelProgram       = "meniscus.panel"
	waveProgram        = "meniscus.wave"
	columnProgram      = "meniscus.column"
	lightMapProgram    = "meniscus.lightmap"
	photonProgram      = "meniscus.photon"
	tileProgram        = "meniscus.tile"
	debugProgram       = "meniscus.debug"
	wireProgram        = "meniscus.wire"
	cutProgram         = "meniscus.cut"
	guiProgram         = "meniscus.gui" // for g3n's panels among what Draw draws
)

// programs maps each program to its vertex, fragment and, if it has one, geometry source in assets.
var programs = []struct{ name, vertex, fragment, geometry string }{
	{waterProgram, "surface_vertex", "water_fragment", ""},
	{intervalProgram, "interval_vertex", "interval_fragment", ""},
	{dropletProgram, "particle_vertex", "droplet_fragment", "particle_geometry"},
	{sprayProgram, "particle_vertex", "spray_fragment", "particle_geometry"},
	{bubbleProgram, "particle_vertex", "bubble_fragment", "particle_geometry"},
	{foamProgram, "foam_vertex", "foam_fragment", "particle_geometry"},
	{behindProgram, "screen_vertex", "behind_fragment", ""},
	{frontProgram, "surface_vertex", "front_fragment", ""},
	{lastProgram, "interval_vertex", "last_fragment", ""},
	{openProgram, "screen_vertex", "open_fragment", ""},
	{beyondProgram, "screen_vertex", "beyond_fragment", ""},
	{shaftsProgram, "screen_vertex", "shafts_fragment", ""},
	{shaftSmoothProgram, "screen_vertex", "shaftsmooth_fragment", ""},
	{insideProgram, "screen_vertex", "inside_fragment", ""},
	{meniscusProgram, "screen_vertex", "meniscus_fragment", ""},
	{dropProgram, "drop_vertex", "drop_fragment", ""},
	{bloomFirstProgram, "screen_vertex", "bloomfirst_fragment", ""},
	{bloomProgram, "screen_vertex", "bloom_fragment", ""},
	{pictureProgram, "screen_vertex", "picture_fragment", ""},
	{showProgram, "screen_vertex", "show_fragment", ""},
	{skyProgram, "screen_vertex", "sky_fragment", ""},
	{panelProgram, "panel_vertex", "panel_fragment", ""},
	{waveProgram, "surface_vertex", "wave_fragment", ""},
	{columnProgram, "surface_vertex", "column_fragment", ""},
	{lightMapProgram, "screen_vertex", "lightmap_fragment", ""},
	{photonProgram, "photon_vertex", "photon_fragment", ""},
	{debugProgram, "screen_vertex", "debug_fragment", ""},
	{tileProgram, "tile_vertex", "tile_fragment", ""},
	{wireProgram, "wire_vertex", "wire_fragment", ""},
	{cutProgram, "cut_vertex", "wire_fragment", ""},
}

// g3n's default registry is filled before any renderer exists, so that a game's own
// rend.Render finds the programs after AddDefaultShaders, which app.App calls.
func init() {
	replaceEngine()
	addPrograms(shaders.AddShader, shaders.AddProgram)
}

// register gives rend the programs; needed when it was made without AddDefaultShaders.
func register(rend Renderer) {
	addPrograms(rend.AddShader, rend.AddProgram)
	rend.AddShader("meniscus.gui_fragment", shaders.ShaderSource("meniscus.gui_fragment"))
	rend.AddProgram(guiProgram, "panel_vertex", "meniscus.gui_fragment")
}

// addPrograms adds the programs with their shaders.
func addPrograms(shader func(name, source string), program func(name, vertex, fragment string, others ...string)) {
	for _, p := range programs {
		var others []string
		for _, part := range []string{p.vertex, p.fragment, p.geometry} {
			if part != "" {
				shader("meniscus."+part, source(part))
			}
		}
		if p.geometry != "" {
			others = []string{"meniscus." + p.geometry}
		}
		program(p.name, "meniscus."+p.vertex, "meniscus."+p.fragment, others...)
	}
}

// engine maps g3n's shaders that Draw has its own of to their sources in assets; of those without one Draw takes the display colours for light.
var engine = []struct{ name, own string }{
	{"standard_vertex", "standard_vertex"},
	{"standard_fragment", "standard_fragment"},
	{"physical_vertex", "physical_vertex"},
	{"physical_fragment", "physical_fragment"},
	{"basic_fragment", ""},
	{"point_fragment", ""},
}

// replaceEngine has g3n's programs give linear light where Draw asks for it, and be g3n's own elsewhere. A game that replaces
// one of g3n's shaders has its own drawn, as it is. A panel's program is never told apart by its defines: Draw's has a name of its own.
func replaceEngine() {
	for _, e := range engine {
		theirs := shaders.ShaderSource(e.name)
		ours := linearised(theirs, "FragColor")
		if e.own != "" {
			ours = source(e.own)
		}
		shaders.AddShader(e.name, "#ifdef "+linearDefine+"\n"+ours+"\n#else\n"+theirs+"\n#endif\n")
	}
	shaders.AddShader("meniscus.gui_fragment", linearised(shaders.ShaderSource("panel_fragment"), "FragColor"))
	shaders.AddProgram(guiProgram, "panel_vertex", "meniscus.gui_fragment")
}

// linearised is a fragment shader that gives the light of what another one writes to out for a display. Its names are kept apart from the other's.
func linearised(theirs, out string) string {
	var b strings.Builder
	b.WriteString("#define main meniscus_main\n" + theirs + "\n#undef main\n")
	for _, name := range []string{"Knee", "encode", "drawn", "linear", "clip", "murky"} {
		b.WriteString("#define " + name + " meniscus_" + name + "\n")
	}
	b.WriteString(source("tone") + source("clip"))
	b.WriteString("void main() {\n    clip();\n    meniscus_main();\n    " + out + ".rgb = murky(linear(" + out + ".rgb));\n}\n")
	return b.String()
}

// source returns an embedded shader with its imports put first, each once.
func source(name string) string { return imported(name, map[string]bool{}) }

// imported is source without what is there already.
func imported(name string, there map[string]bool) string {
	if there[name] {
		return ""
	}
	there[name] = true
	data, err := assets.Shaders.ReadFile("shaders/" + name + ".glsl")
	if err != nil {
		panic("scene: " + err.Error())
	}
	text := string(data)
	var b strings.Builder
	for strings.HasPrefix(text, "//import ") {
		line, rest, _ := strings.Cut(text, "\n")
		b.WriteString(imported(strings.TrimPrefix(line, "//import "), there))
		text = rest
	}
	b.WriteString(text)
	return b.String()
}
