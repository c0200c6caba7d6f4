package dev.tilewright.worker.cli.program;

/** Python of programs that take turns: a clock that nothing else moves, modules of {@code torch}, a pack. */
public final class ProgramStandIns {

    /** The first lines of a program. */
    public static final String CLOCK = """
            import random, sys, time
            now = [0]
            def clock():
                now[0] += 1000
                return now[0]
            time.perf_counter_ns = clock
            """;

    /** The last lines of a {@code torch.py}. */
    public static final String MODULES = """
            class Module:
                def __call__(self, *given):
                    return self.forward(*given)
            nn = types.SimpleNamespace(Module=Module)
            """;

    /** {@code __init__.py} of a pack. */
    public static final String PACK = """
            import os, sys
            HASH, PACK = "0123456789abcdef", {}
            on = False
            def enable(ranks=True):
                global on
                on = os.environ.get("STUB_PACK") != "off"
                if not on:
                    print("tilewright pack 0123456789abcdef: off: there is no GPU", file=sys.stderr)
                return on
            def serves():
                return on
            def summary():
                return ""
            """;

    private ProgramStandIns() {}
}
