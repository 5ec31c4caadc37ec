package scene

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/g3n/engine/material"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// ownPrograms are the programs of a game's own among what Draw draws. One whose fragment shader does not name linearDefine writes colours for a display:
// one that makes light of them takes its place while Draw draws. One that names it, of a material that is shader-unique, is never told apart by its
// defines: the same shaders under a name of their own are. The sources are those that OpenGL was given, wherever the game has registered them.
type ownPrograms struct {
	kept   map[string]bool   // by their names: drawn as they are
	inDraw map[uint32]string // by their names in OpenGL: the program in their place
	taken  []takenMaterial   // while Draw draws
}

// takenMaterial is a material whose program another takes the place of.
type takenMaterial struct {
	material *material.Material
	program  string
	unique   bool
}

// takeOwn puts other programs in the place of a game's own; giveOwn ends that.
func (d *drawn) takeOwn(rend Renderer) error {
	o := &d.own
	for i := range d.groups {
		for _, n := range d.groups[i].graphics {
			for _, m := range n.GetGraphic().Materials() {
				mat := m.IMaterial().GetMaterial()
				name, unique := mat.Shader(), mat.ShaderUnique()
				if o.kept[name] && !unique || strings.HasPrefix(name, ownPrefix) {
					continue
				}
				s := d.spec(&d.groups[i], n, mat)
				if unique {
					delete(s.Defines, linearDefine) // it is made once, for the game's own Render too
				}
				if _, err := rend.SetProgram(s); err != nil {
					return err
				}
				var program int32
				gl.GetIntegerv(gl.CURRENT_PROGRAM, &program)
				other, known := o.inDraw[uint32(program)]
				if !known {
					other = o.make(rend, uint32(program), name, unique)
					if other != name {
						s.Name, s.ShaderUnique = other, false
						s.Defines.Set(behindDefine, "1")
						if _, err := rend.SetProgram(s); err != nil { // its names meet ours
							other = name
						}
					}
					o.inDraw[uint32(program)] = other
				}
				if other == name {
					o.kept[name] = !unique
					continue
				}
				o.taken = append(o.taken, takenMaterial{mat, name, unique})
				mat.SetShader(other)
				mat.SetShaderUnique(false)
			}
		}
	}
	return nil
}

func (d *drawn) giveOwn() {
	for _, t := range d.own.taken {
		t.material.SetShader(t.program)
		t.material.SetShaderUnique(t.unique)
	}
	clear(d.own.taken)
	d.own.taken = d.own.taken[:0]
}

// ownPrefix begins the names of this package's programs.
const ownPrefix = "meniscus."

// make registers the program that Draw has in the place of one, and returns its name; that of the program itself where none is needed.
func (o *ownPrograms) make(rend Renderer, program uint32, name string, unique bool) string {
	if o.kept == nil {
		o.kept, o.inDraw = map[string]bool{}, map[uint32]string{}
	}
	sources := sourcesOf(program)
	defines, body := redefined(sources[gl.FRAGMENT_SHADER])
	out := colourOut.FindStringSubmatch(body)
	switch aware := strings.Contains(body, linearDefine); {
	case aware && !unique, !aware && out == nil:
		return name
	case !aware:
		body = linearised(body, out[1])
	}
	other := fmt.Sprintf("%sown.%d.%s", ownPrefix, program, name)
	rend.AddShader(other+".fragment", defines+body)
	var geometry []string
	for kind, stage := range map[uint32]string{gl.VERTEX_SHADER: ".vertex", gl.GEOMETRY_SHADER: ".geometry"} {
		if text, is := sources[kind]; is {
			defines, body := redefined(text)
			rend.AddShader(other+stage, defines+body)
			if kind == gl.GEOMETRY_SHADER {
				geometry = []string{other + stage}
			}
		}
	}
	rend.AddProgram(other, other+".vertex", other+".fragment", geometry...)
	return other
}

// colourOut finds the first colour that a fragment shader writes.
var colourOut = regexp.MustCompile(`(?m)^\s*(?:layout\s*\([^)]*\)\s*)?out\s+(?:(?:highp|mediump|lowp)\s+)?vec[34]\s+(\w+)\s*;`)

// sourcesOf are the sources of a program's shaders, by their kinds.
func sourcesOf(program uint32) map[uint32]string {
	var shaders [3]uint32
	var n int32
	gl.GetAttachedShaders(program, int32(len(shaders)), &n, &shaders[0])
	sources := map[uint32]string{}
	for _, s := range shaders[:n] {
		var kind, size int32
		gl.GetShaderiv(s, gl.SHADER_TYPE, &kind)
		gl.GetShaderiv(s, gl.SHADER_SOURCE_LENGTH, &size)
		text := make([]byte, size+1)
		gl.GetShaderSource(s, size+1, &size, &text[0])
		sources[uint32(kind)] = string(text[:size])
	}
	return sources
}

// redefined parts a source as g3n gives it to OpenGL: without the version, which g3n adds, the definitions that it begins with, for what isn't defined yet, and
// what follows them.
func redefined(source string) (defines, body string) {
	_, body, _ = strings.Cut(source, "\n")
	var b strings.Builder
	for strings.HasPrefix(body, "#define ") {
		var line string
		line, body, _ = strings.Cut(body, "\n")
		name, _, _ := strings.Cut(strings.Fields(line + " _")[1], "(")
		fmt.Fprintf(&b, "#ifndef %s\n%s\n#endif\n", name, line)
	}
	return b.String(), body
}
