package raytrace

import (
	"image"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Painted is a texture of a picture that is repeated so often across and up.
func Painted(img *image.RGBA, across, up float64) func(p *Point) Colour {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	texels := make([][3]float32, w*h)
	for i := range texels {
		p := img.Pix[i/w*img.Stride+4*(i%w):]
		texels[i] = [3]float32{float32(decodeSRGB(p[0])), float32(decodeSRGB(p[1])), float32(decodeSRGB(p[2]))}
	}
	at := func(x, y int) Colour {
		c := texels[(y%h+h)%h*w+(x%w+w)%w]
		return Colour{X: float64(c[0]), Y: float64(c[1]), Z: float64(c[2])}
	}
	return func(p *Point) Colour {
		x, y := p.U*across*float64(w)-.5, (1-p.V)*up*float64(h)-.5
		fx, fy := math.Floor(x), math.Floor(y)
		ix, iy := int(fx), int(fy)
		return mix(mix(at(ix, iy), at(ix+1, iy), x-fx), mix(at(ix, iy+1), at(ix+1, iy+1), x-fx), y-fy)
	}
}

// Flat lays a texture on faces by their place in the world, from the side that they look to most: U and V are m over size.
func Flat(texture func(p *Point) Colour, size float64) func(p *Point) Colour {
	return func(p *Point) Colour {
		q := *p
		q.U, q.V = across(p)
		q.U, q.V = q.U/size, q.V/size
		return texture(&q)
	}
}

// across is a place on the plane that a surface looks to most, m, as the scene's tiles lie.
func across(p *Point) (u, v float64) {
	x, y, z := math.Abs(p.Normal.X), math.Abs(p.Normal.Y), math.Abs(p.Normal.Z)
	switch {
	case y > x && y > z:
		return p.Position.X, p.Position.Z
	case x > z:
		return p.Position.Z, p.Position.Y
	}
	return p.Position.X, p.Position.Y
}

// Tiles are squares in world space with joints between them, as the scene's.
type Tiles struct {
	Size, Joint          float64 // m
	Colour, Other, Grout Colour
}

// PoolTiles are the scene's tiles by default.
func PoolTiles() Tiles {
	return Tiles{Size: .25, Joint: .012, Colour: Colour{X: .62, Y: .72, Z: .76}, Other: Colour{X: .38, Y: .56, Z: .66}, Grout: Colour{X: .16, Y: .18, Z: .19}}
}

// At is the tiles' colour.
func (t Tiles) At(p *Point) Colour {
	u, v := across(p)
	u, v = u/t.Size, v/t.Size
	fu, fv := math.Floor(u), math.Floor(v)
	if joint := t.Joint / t.Size; u-fu < joint || v-fv < joint {
		return t.Grout
	}
	colour := t.Colour
	if math.Mod(math.Abs(fu+fv), 2) == 1 {
		colour = t.Other
	}
	return r3.Scale(.9+.2*tone(fu, fv), colour)
}

// tone is a number from 0 to 1 for each tile, as the scene's shader has it.
func tone(x, y float64) float64 {
	v := math.Sin(127.1*x+311.7*y) * 43758.5453
	return v - math.Floor(v)
}

// Noise is a smooth random field over a plane, 0 to 1, the same for the same seed. Its hills are about 1 wide.
func Noise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	u, v := smoothstep(0, 1, x-fx), smoothstep(0, 1, y-fy)
	ix, iy := int32(fx), int32(fy)
	at := func(i, j int32) float64 {
		return unit32(hash32(uint32(i)*0x9e3779b1 ^ hash32(uint32(j)*0x85ebca77^seed)))
	}
	return (1-v)*((1-u)*at(ix, iy)+u*at(ix+1, iy)) + v*((1-u)*at(ix, iy+1)+u*at(ix+1, iy+1))
}
