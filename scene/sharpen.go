package scene

import (
	"github.com/g3n/engine/gls"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// The names of EXT_texture_filter_anisotropic, which OpenGL 3.3 leaves to the driver.
const (
	textureAnisotropy     = 0x84FE
	mostTextureAnisotropy = 0x84FF
)

// anisotropy is how many reads along the view a texture may take where it is seen at a slant.
const anisotropy = 8

// sharpener has textures filtered along the view, so that a floor is not blurred towards the horizon.
type sharpener struct {
	known bool
	most  float32             // that the driver has; 0: none
	done  map[uint32]struct{} // textures, by OpenGL's names
}

// sharpen does so with the textures of all that is drawn which are in OpenGL already: g3n brings them there when it draws them first.
func (d *drawn) sharpen(gs *gls.GLS) {
	s := &d.sharp
	if !s.known {
		s.known, s.done = true, map[uint32]struct{}{}
		gl.GetFloatv(mostTextureAnisotropy, &s.most)
		if gl.GetError() != gl.NO_ERROR { // a driver without it
			s.most = 0
		}
	}
	if s.most < 2 {
		return
	}
	for _, g := range d.groups[0].graphics {
		for _, m := range g.GetGraphic().Materials() {
			for _, t := range m.IMaterial().GetMaterial().Textures() {
				name := t.TexName()
				if _, done := s.done[name]; done || name == 0 {
					continue
				}
				s.done[name] = struct{}{}
				gs.ActiveTexture(gls.TEXTURE0)
				gs.BindTexture(gls.TEXTURE_2D, name)
				gl.TexParameterf(gl.TEXTURE_2D, textureAnisotropy, min(anisotropy, s.most))
			}
		}
	}
}
