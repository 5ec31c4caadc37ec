// Package picture reads pictures, makes contact sheets, and draws the demos' textures.
package picture

import (
	"bufio"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
)

// ReadPNG reads a picture.
func ReadPNG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(bufio.NewReader(f))
}

// Sheet is a contact sheet: small pictures in rows, each with its number.
type Sheet struct {
	Columns int      // 0 means 4
	Width   int      // of a small picture, pixels; 0 means 480
	Rows    []string // what is written on each row, if anything

	small   []*image.RGBA
	numbers []int
}

const gap = 6 // pixels between small pictures

func (s *Sheet) columns() int {
	if s.Columns == 0 {
		return 4
	}
	return s.Columns
}

// Add takes a picture, made small at once, with its number.
func (s *Sheet) Add(img *image.RGBA, number int) {
	w := s.Width
	w = cmp.Or(w, 480)
	w = min(w, img.Rect.Dx())
	s.small = append(s.small, Shrink(img, w))
	s.numbers = append(s.numbers, number)
}

// Len is the number of pictures.
func (s *Sheet) Len() int { return len(s.small) }

// Image is the sheet; nil without pictures. All pictures take the first one's place and size.
func (s *Sheet) Image() *image.RGBA {
	if len(s.small) == 0 {
		return nil
	}
	w, h := s.small[0].Rect.Dx(), s.small[0].Rect.Dy()
	columns := min(s.columns(), len(s.small))
	rows := (len(s.small) + columns - 1) / columns
	sheet := image.NewRGBA(image.Rect(0, 0, gap+columns*(w+gap), gap+rows*(h+gap)))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.Gray{24}), image.Point{}, draw.Src)
	for i, img := range s.small {
		at := image.Pt(gap+i%columns*(w+gap), gap+i/columns*(h+gap))
		draw.Draw(sheet, image.Rectangle{at, at.Add(image.Pt(w, h))}, img, image.Point{}, draw.Src)
		drawNumber(sheet, at.Add(image.Pt(5, 5)), s.numbers[i])
	}
	for i, label := range s.Rows[:min(rows, len(s.Rows))] {
		Write(sheet, image.Pt(gap+8, gap+(i+1)*(h+gap)-h/9-12), label, float64(h)/9, color.RGBA{255, 255, 255, 255})
	}
	return sheet
}

// Shrink makes a picture w pixels wide, at most as wide as it is, by averaging.
func Shrink(img *image.RGBA, w int) *image.RGBA {
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	h := max(1, (sh*w+sw/2)/sw)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		y0, y1 := y*sh/h, max(y*sh/h+1, (y+1)*sh/h)
		for x := range w {
			x0, x1 := x*sw/w, max(x*sw/w+1, (x+1)*sw/w)
			var sum [4]int
			for sy := y0; sy < y1; sy++ {
				for sx := x0; sx < x1; sx++ {
					p := img.Pix[sy*img.Stride+4*sx:]
					for c := range sum {
						sum[c] += int(p[c])
					}
				}
			}
			n := (y1 - y0) * (x1 - x0)
			for c := range sum {
				out.Pix[y*out.Stride+4*x+c] = uint8((sum[c] + n/2) / n)
			}
		}
	}
	return out
}

// digits are 3×5 pixels each, rows from the top, the highest bit left.
var digits = [10][5]uint8{
	{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 3, 1, 7}, {5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 2, 2, 2}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
}

// drawNumber writes a number, 0 or more, on a dark ground.
func drawNumber(img *image.RGBA, at image.Point, number int) {
	const dot = 2
	var places []int
	for n := max(0, number); ; n /= 10 {
		places = append([]int{n % 10}, places...)
		if n < 10 {
			break
		}
	}
	ground := image.Rectangle{at, at.Add(image.Pt(dot*(4*len(places)+1), dot*7))}
	draw.Draw(img, ground, image.NewUniform(color.RGBA{A: 150}), image.Point{}, draw.Over)
	for i, d := range places {
		for row, bits := range digits[d] {
			for col := range 3 {
				if bits>>(2-col)&1 == 1 {
					p := at.Add(image.Pt(dot*(1+4*i+col), dot*(1+row)))
					draw.Draw(img, image.Rectangle{p, p.Add(image.Pt(dot, dot))}, image.White, image.Point{}, draw.Src)
				}
			}
		}
	}
}
