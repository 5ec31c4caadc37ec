package physics

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// RoomSides names sides of a box.
type RoomSides struct{ MinX, MaxX, MinY, MaxY, MinZ, MaxZ bool }

// RoomDef describes the walls of a room for bodies. The sides of a liquid's domain hold only the
// liquid.
type RoomDef struct {
	// Inside is the room, m, with edges of 1e-4 to 1e6 m: for a liquid's room its Def().Domain.
	Inside r3.Box
	// Open are the sides without a wall.
	Open RoomSides
	// Thickness of the walls, m, which stand outside of Inside; 0 means 1 m.
	Thickness float64
	// Material of the walls.
	Material Material
	// Filter says what the walls meet; the zero value: everything.
	Filter Filter
	// Name of the body.
	Name string
}

// AddRoom adds a static body of up to six slabs around a room, which keep bodies in it, or out. Ray casts
// from outside hit the slabs. For a camera outside, give them a Filter.Category that
// its Query leaves out, or a Thickness within which the camera is.
// The error is a *FieldError, or one of AddBody or Body.AddShape; the world is then as it was.
func (w *World) AddRoom(def RoomDef) (Body, error) {
	thick := def.Thickness
	if thick == 0 {
		thick = 1
	}
	in, size := def.Inside, def.Inside.Size()
	switch o := def.Open; {
	case !near(in.Min) || !near(in.Max) || !goodSize(reproducible.Scale(0.5, size)):
		return Body{}, &FieldError{"RoomDef.Inside", in, "finite within ±1e6 m, with edges of 1e-4 to 1e6 m"}
	case !within(thick, minSize, maxCoordinate):
		return Body{}, &FieldError{"RoomDef.Thickness", def.Thickness, "0 (for 1) or 1e-4 to 1e6 m"}
	case o == RoomSides{true, true, true, true, true, true}:
		return Body{}, &FieldError{"RoomDef.Open", o, "such that a wall is left"}
	}
	centre := centreOf(in)
	room, err := w.AddBody(BodyDef{Position: centre, Name: def.Name})
	if err != nil {
		return Body{}, err
	}
	for _, wall := range def.walls(thick) {
		edges := wall.Size()
		shape := ShapeDef{Geometry: Box(Centred(edges.X, edges.Y, edges.Z)), Offset: r3.Sub(centreOf(wall), centre), Material: def.Material, Filter: def.Filter}
		if _, err := room.AddShape(shape); err != nil {
			_ = room.Remove()
			return Body{}, err
		}
	}
	return room, nil
}

func centreOf(b r3.Box) r3.Vec { return reproducible.Scale(0.5, r3.Add(b.Min, b.Max)) }

// walls are the slabs. Each goes on over the ends of those beside it, so that they leave no gap at an edge.
func (d *RoomDef) walls(thick float64) (walls []r3.Box) {
	open := [6]bool{d.Open.MinX, d.Open.MaxX, d.Open.MinY, d.Open.MaxY, d.Open.MinZ, d.Open.MaxZ}
	outer := d.Inside
	ends := [6]*float64{&outer.Min.X, &outer.Max.X, &outer.Min.Y, &outer.Max.Y, &outer.Min.Z, &outer.Max.Z}
	inner := [6]float64{}
	for side, at := range ends {
		if inner[side] = *at; !open[side] {
			*at += float64(float64(2*(side%2)-1) * thick)
		}
	}
	for side := range ends {
		if open[side] {
			continue
		}
		wall := outer
		opposite := [6]*float64{&wall.Max.X, &wall.Min.X, &wall.Max.Y, &wall.Min.Y, &wall.Max.Z, &wall.Min.Z}
		*opposite[side] = inner[side]
		walls = append(walls, wall)
	}
	return walls
}
