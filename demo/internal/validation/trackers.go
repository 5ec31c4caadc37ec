package validation

import "github.com/meniscus3d/meniscus/fluid"

// scene measures rows with a surface tracker.
type scene func(fluid.Tracker) ([]Row, error)

// followed is the tests of the trackers that blocks follow.
func followed() []Test {
	var tests []Test
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		for _, t := range []struct {
			id    string
			scene scene
		}{
			{"V3", floating}, {"V4", releasedSphere}, {"V9", heave}, {"V10", sloshing}, {"V12", zalesak}, {"V13", enright}, {"V14", droplet},
			{"V26", ledger}, {"V27", cup}, {"V41", fresh}, {"V42", litres},
		} {
			tests = append(tests, Test{ID: t.id, Run: of(tracker, t.scene), Long: true, Tracker: tracker})
		}
	}
	return tests
}

// of runs a scene with a tracker. Rows of others than the level set name it.
func of(tracker fluid.Tracker, scene scene) func() ([]Row, error) {
	return func() ([]Row, error) {
		rows, err := scene(tracker)
		if tracker != fluid.LevelSet {
			for i := range rows {
				rows[i].Name = trackerNames[tracker] + ", " + rows[i].Name
			}
		}
		return rows, err
	}
}

// trackerNames are the other trackers' names in rows.
var trackerNames = map[fluid.Tracker]string{fluid.Contouring: "contouring", fluid.ExplicitMesh: "explicit mesh"}
