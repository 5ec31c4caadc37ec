package validation

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

// flown is a size in which a tracker carries a shape, and what it may lose, %.
type flown struct {
	tracker    tracktest.Tracker
	size       int    // see tracktest.Run
	text       string // for people
	volume, l1 float64
}

// zalesak is V12: a slotted sphere turned once around.
func zalesak(m Method) ([]Row, error) {
	return tracked("V12", "Zalesak's slotted sphere", tracktest.Zalesak, map[fluid.Tracker][]flown{
		fluid.LevelSet:     {{tracktest.LevelSet, 96, "level set with markers, 96 cells", 5, 10}},
		fluid.Contouring:   {{tracktest.Contouring, 96, "96 cells", 5, 10}},
		fluid.ExplicitMesh: {{tracktest.ExplicitMesh, 2000, "%d vertices halfway", 1, 2}},
	}[m.Tracker])
}

// enright is V13: a sphere pulled to a sheet thinner than a cell, and back. Of 300 vertices at the beginning the mesh has some 1,500 where it is longest, as in
// Brochu 2006, and of 2,400 some 12,000.
func enright(m Method) ([]Row, error) {
	return tracked("V13", "Enright's sphere", tracktest.Enright, map[fluid.Tracker][]flown{
		fluid.LevelSet:     {{tracktest.LevelSet, 96, "level set with markers, 96 cells", 5, 10}},
		fluid.Contouring:   {{tracktest.Contouring, 104, "104 cells", 5, 10}},
		fluid.ExplicitMesh: {{tracktest.ExplicitMesh, 300, "%d vertices halfway", 1.2, 10}, {tracktest.ExplicitMesh, 2400, "%d vertices halfway", .5, 2}},
	}[m.Tracker])
}

// tracked is the rows of a shape.
func tracked(id, shape string, test func(tracktest.Run) (tracktest.Result, error), runs []flown) ([]Row, error) {
	var rows []Row
	for _, r := range runs {
		t, err := test(tracktest.Run{Tracker: r.tracker, Size: r.size})
		if err != nil {
			return rows, err
		}
		text := shape + ", " + r.text
		if r.tracker == tracktest.ExplicitMesh {
			text = fmt.Sprintf(text, t.Vertices)
		}
		rows = append(rows,
			row(id, text+": volume kept", 100*t.Volume, 100, r.volume, "%"),
			row(id, text+": volume that lies elsewhere", 100*t.L1, 0, r.l1, "%"))
	}
	return rows, nil
}

// tension is V22: the forces of tension on a sphere of triangles.
func tension() ([]Row, error) {
	const radius = .4
	t := tracktest.SphereTension(radius)
	return []Row{
		row("V22", fmt.Sprintf("tension on a sphere, %d faces: force inwards", t.Faces), t.Force, 2*t.Area/radius, .02*2*t.Area/radius, "N per N/m"),
		row("V22", "the same: curvature of the worst vertex", t.Curvature, 2/radius, .02*2/radius, "1/m"),
	}, nil
}
