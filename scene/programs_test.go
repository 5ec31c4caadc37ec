package scene

import (
	"testing"

	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/renderer"
)

// Draw's stand-ins for g3n's programs build for all kinds of lights, textures, skins and morphs that g3n's materials ask for.
func TestEngineProgramsBuild(t *testing.T) {
	skin := map[string]string{"BONE_INFLUENCERS": "4", "TOTAL_BONES": "12"}
	morph := map[string]string{"MORPHTARGETS": "2"}
	maps := map[string]string{"HAS_BASECOLORMAP": "", "HAS_METALROUGHNESSMAP": "", "HAS_NORMALMAP": "", "HAS_EMISSIVEMAP": "", "HAS_OCCLUSIONMAP": ""}
	onGL(t, func(l *lab) {
		for _, c := range []struct {
			program  string
			lights   int
			textures int
			defines  map[string]string
		}{
			{"standard", 0, 0, nil}, {"standard", 2, 1, nil}, {"standard", 1, 3, map[string]string{"BLINN": "true"}}, {"standard", 1, 1, skin}, {"standard", 1, 0, morph},
			{"physical", 0, 0, nil}, {"physical", 2, 0, nil}, {"physical", 1, 5, maps}, {"physical", 1, 0, skin}, {"physical", 1, 0, morph},
			{"basic", 0, 0, nil}, {"point", 0, 0, nil}, {"point", 0, 2, nil}, {guiProgram, 0, 1, nil}, {tileProgram, 0, 0, nil}, {tileProgram, 2, 0, nil},
		} {
			for _, mode := range [][]string{{linearDefine}, {linearDefine, depthDefine}, {linearDefine, shadowlessDefine}, {linearDefine, behindDefine}, nil} {
				s := renderer.ShaderSpecs{Name: c.program, UseLights: material.UseLightAll, AmbientLightsMax: c.lights, DirLightsMax: c.lights,
					PointLightsMax: c.lights, SpotLightsMax: c.lights, MatTexturesMax: c.textures, Defines: *gls.NewShaderDefines()}
				for name, value := range c.defines {
					s.Defines.Set(name, value)
				}
				for _, name := range mode {
					s.Defines.Set(name, "1")
				}
				if _, err := l.rend.SetProgram(&s); err != nil {
					t.Errorf("%s with %d lights of a kind, %d textures, %v, %v: %.600s", c.program, c.lights, c.textures, c.defines, mode, err)
				}
			}
		}
	})
}
