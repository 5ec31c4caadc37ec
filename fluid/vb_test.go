package fluid
import ("testing";"fmt";"math/rand";"gonum.org/v1/gonum/spatial/r3")
func TestVB(t *testing.T) {
	nums := []float64{inf, -inf, nan, 1e300, -1e300, 1e-300, 0, 1e9, -1e9, 1e5, 50, 1e-9, .15,.15,.15, 1e30,1e38,1e20,1e10, 1e8,1e7,-.1,.3,.5}
	rng := rand.New(rand.NewSource(1))
	pick := func() float64 { return nums[rng.Intn(len(nums))] }
	bad := 0
	for k := range 1500 {
		l, _ := New(Def{Domain: box(.8,.8,.8), CellSize: .1, Workers: 1})
		l.Fill(Below(.4))
		mk := func() ball { b := ball{kind: rng.Intn(3), x: vec(.4,.4,.4), radius: pick(), mass: pick(), gravity: r3.Vec{Y:-9.81}}
		if rng.Intn(3)==0 { b.x.X = pick() }
		if rng.Intn(3)==0 { b.v.Y = pick() }
		return b}
		a, b := mk(), mk()
		p := newPuppet(a)
		l.Couple(p)
		for i := range 6 {
			r := l.Step(frame)
			if err := unsound(l, r); err != nil { fmt.Println(k, i, err, fmt.Sprintf("%+v %+v", a, b)); bad++; break }
			if i == 2 { id := p.balls[0].id; p.balls[0] = b; p.balls[0].id = id; p.balls[0].turn.Real=1 }
			if i == 3 { l.Fill(Sphere(vec(.4,.4,.4),.2)); if err := unsound(l, l.Step(frame)); err != nil { fmt.Println("fill", err); bad++ } }
		}
		l.Close()
		if bad > 10 {break}
	}
}
