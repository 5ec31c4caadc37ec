package fluid

import "fmt"

// Method chooses what the liquid is known by.
type Method uint8

// The methods.
const (
	// FiniteVolumes is cells in space, with a surface that a Tracker follows.
	FiniteVolumes Method = iota
	// BoundaryOnly is the liquid's surface alone, without cells: for drops, beads and splashes of little liquid with tension (Da et al. 2016). The inside flows without
	// eddies. A piece of liquid may have 1,600 triangles or so: Fill refuses more. Drops merge and part, wet solids, push bodies and are pushed.
	//
	// All Sides are walls, and there are no sinks, controls, currents, wind, white water, sounds, views, budgets and labels: what asks for one is refused. Sample's pressure is 0, and its
	// velocity in the air.
	BoundaryOnly
)

func (m Method) String() string {
	if m > BoundaryOnly {
		return fmt.Sprintf("Method(%d)", uint8(m))
	}
	return [...]string{"FiniteVolumes", "BoundaryOnly"}[m]
}

// checkMethod reports what the method can't do.
func (d *Def) checkMethod(bad func(is bool, format string, args ...any)) {
	bad(d.Method > BoundaryOnly, "Method: %v; must be FiniteVolumes or BoundaryOnly", d.Method)
	if d.Method != BoundaryOnly {
		return
	}
	const by = " for Method BoundaryOnly"
	n := &d.Numerics
	bad(d.Sides != (Sides{}), "Sides: %v; must all be Wall"+by, d.Sides)
	bad(d.Discretisation != Cubes, "Discretisation: %v; must be Cubes, the zero value,"+by+", which has no cells", d.Discretisation)
	bad(d.Tracker != LevelSet && d.Tracker != ExplicitMesh, "Tracker: %v; must be ExplicitMesh or the zero value"+by, d.Tracker)
	bad(d.Budget != (Budget{}), "Budget: %+v; must be zero"+by+", which can't do with less", d.Budget)
	bad(d.WhiteWater != 0, "WhiteWater: %d particles; must be 0"+by, d.WhiteWater)
	bad(d.Sounds, "Sounds: is set; must be false"+by)
	bad(n.Sizing != Sizing{}, "Numerics.Sizing: %+v; must be zero"+by, n.Sizing)
	bad(n.SurfaceDetail != 1, "Numerics.SurfaceDetail: %d; must be 0 or 1"+by, n.SurfaceDetail)
}

// codedMethod is what states are told apart by: their discretisation, or their method if it has none.
func (d *Def) codedMethod() (what string, v uint64) {
	if d.Method == BoundaryOnly {
		return "Method", 1 << 8
	}
	return "Discretisation", uint64(d.Discretisation)
}
