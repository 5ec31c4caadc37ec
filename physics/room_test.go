package physics

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Balls and boxes that are thrown about a room stay in it; one side that is open lets them out.
func TestRoomKeepsBodies(t *testing.T) {
	in := r3.Box{Min: r3.Vec{X: 3, Y: -1, Z: 2}, Max: r3.Vec{X: 5, Y: 1, Z: 3.5}}
	for _, open := range []RoomSides{{}, {MaxX: true}, {MinZ: true, MaxZ: true}} {
		for _, thick := range []float64{0, 0.02} {
			w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
			room, err := w.AddRoom(RoomDef{Inside: in, Open: open, Thickness: thick, Material: Material{Restitution: 0.9, Friction: Frictionless}, Name: "room"})
			check(t, err)
			if room.Name() != "room" || room.Kind() != Static {
				t.Errorf("%q of kind %v", room.Name(), room.Kind())
			}
			var bodies []Body
			for k := range 12 {
				a := float64(k)
				g := Sphere(r3.Vec{}, 0.1)
				if k%2 > 0 {
					g = Box(Centred(0.2, 0.15, 0.1))
				}
				bodies = append(bodies, add(w, BodyDef{Kind: Dynamic, Position: r3.Add(in.Center(), r3.Vec{X: 0.3 * math.Sin(a), Y: 0.1 * a / 2, Z: 0.3 * math.Cos(a)}),
					Velocity: r3.Vec{X: 20 * math.Sin(3*a), Y: 12 * math.Cos(5*a), Z: 15 * math.Sin(7*a)}}, ShapeDef{Geometry: g, Material: Material{Restitution: 0.9}}))
			}
			gone := make([]bool, len(bodies))
			for range 120 {
				w.Step(tick)
				for k, b := range bodies {
					side, out := beyond(in, b.Position())
					if out && !gone[k] && !side(open) {
						t.Fatalf("open %+v, %v m thick: body %d is at %v", open, thick, k, b.Position())
					}
					gone[k] = gone[k] || out
				}
			}
			if left := slices.Contains(gone, true); left != (open != RoomSides{}) {
				t.Errorf("open %+v: bodies have left: %v", open, left)
			}
		}
	}
}

// beyond tells whether a point is out of a box, and of the sides it is beyond whether one is open.
func beyond(b r3.Box, p r3.Vec) (open func(RoomSides) bool, out bool) {
	over := [6]bool{p.X < b.Min.X, p.X > b.Max.X, p.Y < b.Min.Y, p.Y > b.Max.Y, p.Z < b.Min.Z, p.Z > b.Max.Z}
	return func(o RoomSides) bool {
		is := [6]bool{o.MinX, o.MaxX, o.MinY, o.MaxY, o.MinZ, o.MaxZ}
		for side := range over {
			if over[side] && is[side] {
				return true
			}
		}
		return false
	}, slices.Contains(over[:], true)
}

// The walls leave the inside free to the last micrometre, and no gap at an edge.
func TestRoomDistance(t *testing.T) {
	in := r3.Box{Min: r3.Vec{X: 3, Y: -1, Z: 2}, Max: r3.Vec{X: 5, Y: 1, Z: 3.5}}
	w := NewWorld(WorldDef{})
	_, err := w.AddRoom(RoomDef{Inside: in, Open: RoomSides{MaxY: true}})
	check(t, err)
	for _, c := range []struct {
		at   r3.Vec
		want float64
	}{
		{r3.Vec{X: 4, Y: 0, Z: 2.5}, 0.5}, {r3.Vec{X: 3, Y: 0, Z: 2.5}, 0}, {r3.Vec{X: 2.8, Y: 0, Z: 3}, -0.2},
		{r3.Vec{X: 4, Y: -1.3, Z: 3}, -0.3}, {r3.Vec{X: 4, Y: 1.5, Z: 2.75}, math.Hypot(0.5, 0.75)},
	} {
		var d [1]float32
		w.Coupling().Distance(0, d[:], []r3.Vec{c.at})
		near1(t, "distance", float64(d[0]), c.want, 1e-6)
	}
	var d [1]float32
	if w.Coupling().Distance(0, d[:], []r3.Vec{{X: 2.9, Y: -1.1, Z: 1.9}}); d[0] >= 0 {
		t.Errorf("a gap at a corner: %v", d[0])
	}
}

func TestBadRooms(t *testing.T) {
	good := r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	for field, def := range map[string]RoomDef{
		"RoomDef.Inside":      {Inside: r3.Box{Max: r3.Vec{X: 1, Y: math.NaN(), Z: 1}}},
		"RoomDef.Thickness":   {Inside: good, Thickness: -1},
		"RoomDef.Open":        {Inside: good, Open: RoomSides{true, true, true, true, true, true}},
		"Material.Friction":   {Inside: good, Material: Material{Friction: 1e3}},
		"RoomDef.Inside ":     {Inside: r3.Box{Min: good.Max}},
		"RoomDef.Thickness  ": {Inside: good, Thickness: math.Inf(1)},
	} {
		w := NewWorld(WorldDef{})
		_, err := w.AddRoom(def)
		var bad *FieldError
		if !errors.As(err, &bad) || len(bad.Field) > len(field) || bad.Field != field[:len(bad.Field)] || w.Coupling().Len() != 0 {
			t.Errorf("%s: %v, and %d bodies", field, err, w.Coupling().Len())
		}
	}
}
