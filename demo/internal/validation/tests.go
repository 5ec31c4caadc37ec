package validation

import (
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
)

// Method is what a scene's space is divided into, and what follows its surface.
type Method struct {
	Discretisation fluid.Discretisation
	Tracker        fluid.Tracker
}

// Test measures the rows of one entry of the list of validations.
type Test struct {
	ID   string
	Run  func() ([]Row, error)
	Long bool // takes half a minute or more
	// Method is what it measures, where there is a liquid.
	Method
}

// discretisations are those that scenes run with, the usual one first.
var discretisations = []fluid.Discretisation{fluid.Cubes, fluid.Tetrahedra}

// trackers are those that scenes run with, the usual one first.
var trackers = []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh}

// scene measures rows with a method.
type scene func(Method) ([]Row, error)

// alone is a scene of the usual method.
func alone(run func() ([]Row, error)) scene { return func(Method) ([]Row, error) { return run() } }

// entry is a scene of the list.
type entry struct {
	id  string
	run scene
	traits
}

// traits are how long a scene takes, and what else it runs with than cubes and the level set.
type traits uint8

const (
	long      traits = 1 << iota // takes half a minute or more
	anyCells                     // runs with every discretisation
	anySkin                      // runs with every tracker
	ofMesh                       // measures the explicit mesh, without a liquid
	ofLattice                    // is for tetrahedra alone
)

// entries are the list, in its order.
var entries = []entry{
	{"V1", still, anyCells},
	{"V2", stillPool, ofLattice},
	{"V3", floating, long | anyCells | anySkin},
	{"V4", releasedSphere, anyCells | anySkin},
	{"V5", sphereInShell, anyCells},
	{"V6", pistons, anyCells},
	{"V7", columnOnPiston, anyCells},
	{"V8", hingedRod, anyCells},
	{"V9", heave, anyCells | anySkin},
	{"V10", sloshing, anyCells | anySkin},
	{"V11", damBreak, anyCells},
	{"V12", zalesak, long | anySkin},
	{"V13", enright, long | anySkin},
	{"V14", droplet, long | anySkin},
	{"V15", alone(turnover), 0},
	{"V16", momentum, anyCells},
	{"V17", solves, long | anyCells},
	{"V20", alone(morph), 0},
	{"V22", alone(tension), ofMesh},
	{"V25", alone(refinement), long},
	{"V26", ledger, long | anyCells | anySkin},
	{"V27", cup, anyCells | anySkin},
	{"V28", rest, anyCells},
	{"V29", alone(paths), long},
	{"V30", alone(determinism), 0},
	{"V31", following, long | anyCells},
	{"V32", enclosed, long | anyCells},
	{"V33", controlled, long | anyCells},
	{"V34", spinning, anyCells},
	{"V35", jets, anyCells},
	{"V36", betweenCells, anyCells},
	{"V37", fall, anyCells},
	{"V38", sealed, long | anyCells},
	{"V39", alone(friction), 0},
	{"V40", loads, anyCells},
	{"V41", fresh, anyCells | anySkin},
	{"V42", litres, anyCells | anySkin},
	{"V43", waves, anyCells | anySkin},
	{"V45", full, anyCells},
	{"V46", breach, anyCells},
	{"V47", turningBall, 0},
	{"V48", sinking, long},
}

// Tests is every test: those with cubes and the level set in the order of the list, then those with other trackers and discretisations, which count as long.
func Tests() []Test {
	var tests []Test
	for _, cells := range discretisations {
		for _, tracker := range trackers {
			m := Method{cells, tracker}
			for _, e := range entries {
				if e.runs(m) {
					tests = append(tests, Test{e.id, e.with(m), m != Method{} && e.traits&ofMesh == 0 || e.traits&long != 0, m})
				}
			}
		}
	}
	return tests
}

// runs tells whether an entry runs with a method.
func (e *entry) runs(m Method) bool {
	skin := m.Tracker == fluid.LevelSet || e.traits&anySkin != 0
	if e.traits&ofMesh != 0 {
		skin = m.Tracker == fluid.ExplicitMesh
	}
	if e.traits&ofLattice != 0 {
		return skin && m.Discretisation == fluid.Tetrahedra
	}
	return skin && (m.Discretisation == fluid.Cubes || e.traits&anyCells != 0)
}

// with runs an entry with a method. Its rows name what of that is not usual.
func (e *entry) with(m Method) func() ([]Row, error) {
	return func() ([]Row, error) {
		rows, err := e.run(m)
		for i := range rows {
			rows[i].Name = m.prefix() + rows[i].Name
		}
		return rows, err
	}
}

// prefix is what is said before a row's name: what of a method is not usual.
func (m Method) prefix() string {
	text := ""
	if m.Discretisation != fluid.Cubes {
		text = strings.ToLower(m.Discretisation.String()) + ", "
	}
	if m.Tracker != fluid.LevelSet {
		text += trackerNames[m.Tracker] + ", "
	}
	return text
}

// trackerNames are the other trackers' names in rows.
var trackerNames = map[fluid.Tracker]string{fluid.Contouring: "contouring", fluid.ExplicitMesh: "explicit mesh"}
