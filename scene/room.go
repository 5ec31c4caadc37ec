package scene

import (
	"cmp"
	"math"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// RoomOptions tunes a Room. The zero value of every field is a good default.
type RoomOptions struct {
	Height   float64     // of the walls, m; default half the domain's
	Tiles    TileOptions // of floor and walls
	NoGround bool        // leaves out the terrace about the room
	// Open are the sides without wall and edge, such as those through which a river comes and goes; MinY is the floor.
	Open physics.RoomSides
}

// Room is what holds a liquid, to look at: a tiled floor and walls that face inwards, so that one
// looks through the nearer ones as into an aquarium, a stone edge on each that is seen from within,
// and a terrace about it that fades into the horizon.
type Room struct {
	core.Node
	options RoomOptions
	domain  r3.Box
	tiles   []*Tiles // that know of the liquid
}

// behind is how far floor and walls stand behind the domain's sides, m: the liquid ends there, and
// two surfaces in one place would flicker.
const behind = 0.012

// NewRoom returns the room about a liquid's domain, to add to the scene's root; nil means a dry one.
// It panics if the domain is empty or the height negative.
func NewRoom(liquid *Liquid, domain r3.Box, o RoomOptions) *Room {
	size := domain.Size()
	if !(size.X > 0 && size.Y > 0 && size.Z > 0) || o.Height < 0 {
		panic("scene: NewRoom: the domain must not be empty and RoomOptions.Height not negative")
	}
	o.Height = cmp.Or(o.Height, size.Y/2)
	r := &Room{options: o, domain: domain}
	r.Node.Init(r)
	r.addWalls(liquid)
	r.addEdges()
	if !o.NoGround {
		r.addGround()
	}
	return r
}

// SetLiquid makes the room know of another liquid, or of none; the one before may be disposed of.
func (r *Room) SetLiquid(liquid *Liquid) {
	for _, t := range r.tiles {
		t.SetLiquid(liquid)
	}
}

func (r *Room) addWalls(liquid *Liquid) {
	tiles := NewTiles(liquid, r.options.Tiles)
	r.tiles = append(r.tiles, tiles)
	open := r.options.Open
	size, mid, low := r.domain.Size(), r.domain.Center(), r.domain.Min.Y-behind
	w, d, h := size.X+2*behind, size.Z+2*behind, r.options.Height+behind
	add := func(open bool, width, height float64, at r3.Vec, turnX, turnY float32) {
		if open {
			return
		}
		m := r.add(geometry.NewPlane(float32(width), float32(height)), tiles, at)
		m.SetRotation(turnX, turnY, 0)
	}
	add(open.MinY, w, d, r3.Vec{X: mid.X, Y: low, Z: mid.Z}, -math.Pi/2, 0)
	add(open.MinZ, w, h, r3.Vec{X: mid.X, Y: low + h/2, Z: mid.Z - d/2}, 0, 0)
	add(open.MaxZ, w, h, r3.Vec{X: mid.X, Y: low + h/2, Z: mid.Z + d/2}, 0, math.Pi)
	add(open.MinX, d, h, r3.Vec{X: mid.X - w/2, Y: low + h/2, Z: mid.Z}, 0, math.Pi/2)
	add(open.MaxX, d, h, r3.Vec{X: mid.X + w/2, Y: low + h/2, Z: mid.Z}, 0, -math.Pi/2)
}

// stone is what edges and terrace are made of.
func stone(size, joint float32, sky SkyOptions) *Tiles {
	return NewTiles(nil, TileOptions{Size: size, Joint: joint, Sky: sky, Color: math32.Color{R: 0.66, G: 0.60, B: 0.50},
		Other: math32.Color{R: 0.60, G: 0.55, B: 0.46}, Grout: math32.Color{R: 0.28, G: 0.25, B: 0.21}})
}

// addEdges lays a stone edge on each wall.
func (r *Room) addEdges() {
	const width, thick = 0.2, 0.07 // m
	open := r.options.Open
	lo, hi, y := r.domain.Min, r.domain.Max, r.domain.Min.Y+r.options.Height
	add := func(open bool, inward r3.Vec, x0, x1, z0, z1 float64) {
		if open {
			return
		}
		size := r3.Vec{X: x1 - x0, Y: thick, Z: z1 - z0}
		mat := stone(0.8, 0.006, r.options.Tiles.Sky)
		mat.inward = [4]float32{float32(inward.X), float32(inward.Y), float32(inward.Z), width / 2}
		box := geometry.NewBox(float32(size.X), float32(size.Y), float32(size.Z))
		r.add(box, mat, r3.Vec{X: (x0 + x1) / 2, Y: y + thick/2, Z: (z0 + z1) / 2})
	}
	add(open.MinZ, r3.Vec{Z: 1}, lo.X-width, hi.X+width, lo.Z-width, lo.Z-behind)
	add(open.MaxZ, r3.Vec{Z: -1}, lo.X-width, hi.X+width, hi.Z+behind, hi.Z+width)
	add(open.MinX, r3.Vec{X: 1}, lo.X-width, lo.X-behind, lo.Z-behind, hi.Z+behind)
	add(open.MaxX, r3.Vec{X: -1}, hi.X+behind, hi.X+width, lo.Z-behind, hi.Z+behind)
}

// addGround paves a terrace at the foot of the walls.
func (r *Room) addGround() {
	const reach, below, haze = 220, 0.06, 25 // m
	mat := stone(0.9, 0.02, r.options.Tiles.Sky)
	mat.haze = haze
	m := r.add(geometry.NewPlane(reach, reach), mat, r3.Vec{X: r.domain.Center().X, Y: r.domain.Min.Y - below, Z: r.domain.Center().Z})
	m.SetRotation(-math.Pi/2, 0, 0)
}

func (r *Room) add(g geometry.IGeometry, mat material.IMaterial, at r3.Vec) *graphic.Mesh {
	mat.GetMaterial().Incref() // each mesh lets one go
	m := graphic.NewMesh(g, mat)
	m.SetPosition(float32(at.X), float32(at.Y), float32(at.Z))
	r.Add(m)
	return m
}
