package dev.tilewright.worker;

import dev.tilewright.worker.agent.compile.Assembler;
import dev.tilewright.worker.agent.compile.Assemblers;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.gpu.AssemblerMain;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * The assembler of this machine, as workers choose it: ptxas, or the one that needs no GPU.
 *
 * @param environment variables of this process
 */
record MachineAssembler(Map<String, String> environment) implements TextAssembler {

    private static final Duration LIMIT = Duration.ofSeconds(120);

    @Override
    public Outcome assemble(String ptx, String target) {
        try (Assembler assembler =
                new Assemblers(environment, null, AssemblerMain.class).choose().start()) {
            return switch (assembler.assemble(ptx, target, LIMIT)) {
                case AssemblyResult.Assembled(Assembly assembly) ->
                    new Outcome.Assembled(assembly.cubin().bytes());
                case AssemblyResult.Refused(String log) -> new Outcome.Refused(log);
                case AssemblyResult.Unsupported(String reason) -> new Outcome.Unavailable(reason);
                case AssemblyResult.Overdue(Duration limit) ->
                    new Outcome.Unavailable("it took more than " + limit.toSeconds() + " s");
                case AssemblyResult.Broken(String reason) -> new Outcome.Unavailable(reason);
            };
        } catch (IOException none) {
            return new Outcome.Unavailable(String.valueOf(none.getMessage()));
        }
    }
}
