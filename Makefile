# PayPulse: `make demo` shows what it does, `make test` checks that it does.

# A program with the Swift library in it starts in half the time. One by one: the tests' modules cannot be linked so.
release = swift build -c release --static-swift-stdlib --product $(1)

.PHONY: demo test bench docs format lint deps build release clean

demo:
	@scripts/install-dependencies.sh build
	@swift build --quiet 2>&1 || swift build
	@scripts/demo.sh

test:
	@scripts/install-dependencies.sh build test
	@scripts/test.sh

bench:
	@scripts/install-dependencies.sh build test bench
	@$(foreach program,paypulse-server paypulse-lambda google-emulator paypulse-benchmarks,$(call release,$(program)) &&) true
	@.venv/bin/python -m benchmarks

docs:
	@scripts/install-dependencies.sh build
	@scripts/documentation.sh

deps:
	@scripts/install-dependencies.sh build test bench

build:
	@scripts/install-dependencies.sh build
	swift build

release:
	@scripts/install-dependencies.sh build
	@$(foreach program,paypulse-server paypulse paypulse-lambda google-emulator,$(call release,$(program)) &&) true

format:
	swift format -i -r Package.swift Sources Tests App

lint:
	swift format lint -s -r Package.swift Sources Tests App

clean:
	rm -rf .build .venv .venv-checkov
