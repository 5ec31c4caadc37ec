// Command gen writes the kernels in assembly of fluid and physics, for processors with AVX2, and beside them a test that compares
// what they know of their package's types with these:
//
//	go run -C fluid/internal/gen . -out ../amg/kernels_amd64.s amg
//
// go generate runs it for all of them. It is a module of its own, so that who uses Meniscus need not fetch what it is made with.
// Each package here is named like the one whose kernels it builds.
package main

import (
	"flag"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/build"

	"github.com/meniscus3d/meniscus/fluid/internal/gen/advect"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/avx"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/levelset"
	"github.com/meniscus3d/meniscus/fluid/internal/gen/physics"
)

var files = map[string]avx.File{
	"advect":          advect.Kernels,
	"amg":             amg.Kernels,
	"cutting":         cutting.Kernels,
	"forces":          forces.Kernels,
	"layout":          layout.Kernels,
	"levelset_halo":   levelset.Halo,
	"levelset_nearby": levelset.Nearby,
	"redistance":      levelset.Redistance,
	"levelset_sample": levelset.Sample,
	"markers_seed":    levelset.Seed,
	"mesh":            levelset.Mesh,
	"physics":         physics.Kernels,
	"volume":          levelset.Volume,
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	flag.Parse() // build has put its -out there
	out, file := flag.Lookup("out").Value.String(), files[flag.Arg(0)]
	if file.Write == nil || !strings.HasSuffix(out, "_amd64.s") {
		log.Fatalf("want -out PATH_amd64.s and one of %s", strings.Join(slices.Sorted(maps.Keys(files)), ", "))
	}
	build.ConstraintExpr("amd64")
	file.Write()
	build.Generate()
	if len(file.Layout) == 0 {
		return
	}
	dir, err := filepath.Abs(filepath.Dir(out))
	if err != nil {
		log.Fatal(err)
	}
	command := "go run main.go " + strings.Join(os.Args[1:], " ") // as build has it
	test, err := file.Test(filepath.Base(dir), filepath.Base(out), command)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(strings.TrimSuffix(out, "_amd64.s")+"_layout_amd64_test.go", test, 0o666); err != nil {
		log.Fatal(err)
	}
}
