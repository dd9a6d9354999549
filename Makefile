# PayPulse: `make demo` shows what it does, `make test` checks that it does.
.PHONY: demo test bench format lint deps build release clean

demo:
	@scripts/install-dependencies.sh build
	@swift build --quiet 2>&1 || swift build
	@scripts/demo.sh

test:
	@scripts/install-dependencies.sh build test
	@scripts/test.sh

bench:
	@scripts/install-dependencies.sh build test bench
	@swift build -c release
	@.venv/bin/python -m benchmarks

deps:
	@scripts/install-dependencies.sh build test bench

build:
	@scripts/install-dependencies.sh build
	swift build

release:
	@scripts/install-dependencies.sh build
	swift build -c release --static-swift-stdlib

format:
	swift format -i -r Package.swift Sources Tests

lint:
	swift format lint -s -r Package.swift Sources Tests

clean:
	rm -rf .build .venv
