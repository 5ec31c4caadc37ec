package tracktest

import "testing"

// Two balls become one, and Watch is called at the given times.
func TestTopology(t *testing.T) {
	s := Topologies()[0]
	var times []float64
	out, err := s.Run(TopologyRun{Edge: .25, At: []float64{0, 1, s.Seconds}, Watch: func(m Moment) {
		times = append(times, m.Time)
		for _, v := range m.Triangles {
			for _, i := range v {
				if i < 0 || int(i) >= len(m.Positions) {
					t.Fatalf("triangle %v of %d vertices", v, len(m.Positions))
				}
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Euler != s.Euler || out.Pieces != s.Pieces || out.Changes == 0 || !(out.Off < 1e-9) {
		t.Errorf("%+v", out)
	}
	if len(times) != 3 || times[1] != 1 {
		t.Errorf("the surface was seen at %v s", times)
	}
}

// Invalid runs return errors.
func TestTopologyErrors(t *testing.T) {
	s := Topologies()[0]
	for _, with := range []TopologyRun{{}, {Edge: .01}, {Edge: 1}, {Edge: .2, At: []float64{1, 0}}} {
		if _, err := s.Run(with); err == nil {
			t.Errorf("no error for %+v", with)
		}
	}
}
