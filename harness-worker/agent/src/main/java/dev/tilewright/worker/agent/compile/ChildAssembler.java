package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.assembler.AssemblerReply;
import dev.tilewright.worker.link.assembler.AssemblerRequest;
import dev.tilewright.worker.link.process.Answer;
import dev.tilewright.worker.link.process.ChildCommand;
import dev.tilewright.worker.link.process.LinkedChild;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An assembler library in a child process that lives for many texts and is thrown away when one of them kills or stalls
 * it.
 */
public final class ChildAssembler extends RetryingAssembler {

    private static final Duration START = Duration.ofSeconds(60);

    private final Function<Path, ChildCommand> command;
    private final ScratchDirectory scratch;
    private @Nullable LinkedChild<AssemblerRequest, AssemblerReply> child;

    private ChildAssembler(
            Function<Path, ChildCommand> command,
            ScratchDirectory scratch,
            AssemblerId id,
            LinkedChild<AssemblerRequest, AssemblerReply> child) {
        super(id);
        this.command = command;
        this.scratch = scratch;
        this.child = child;
    }

    /**
     * Starts the first child and asks for its version.
     *
     * @param name of the assembler
     * @param command makes the child's command from a temporary directory of its own
     * @throws IOException if the library cannot be used, with its reason
     */
    public static ChildAssembler start(String name, Function<Path, ChildCommand> command) throws IOException {
        ScratchDirectory scratch = ScratchDirectory.create(name);
        try {
            Started started = startChild(command, scratch);
            return new ChildAssembler(
                    command, scratch, new AssemblerId(name, started.version(), "-v"), started.child());
        } catch (IOException unusable) {
            scratch.close();
            throw unusable;
        }
    }

    private record Started(LinkedChild<AssemblerRequest, AssemblerReply> child, String version) {}

    private static Started startChild(Function<Path, ChildCommand> command, ScratchDirectory scratch)
            throws IOException {
        LinkedChild<AssemblerRequest, AssemblerReply> child =
                LinkedChild.start(command.apply(scratch.path()), AssemblerReply.class, line -> {});
        return switch (child.receive(START)) {
            case Answer.Message<AssemblerReply>(AssemblerReply.Ready(String version)) -> new Started(child, version);
            case Answer.Message<AssemblerReply>(AssemblerReply other) -> {
                child.close();
                throw new IOException(
                        other instanceof AssemblerReply.Unusable(String reason) ? reason : "began with " + other);
            }
            case Answer.Gone<AssemblerReply>(var status, String stderr) ->
                throw new IOException("the assembler child ended with " + status + " before it was ready: " + stderr);
            case Answer.Overdue<AssemblerReply>(Duration limit, String stderr) ->
                throw new IOException(
                        "the assembler child was not ready within " + limit.toSeconds() + " s: " + stderr);
        };
    }

    @Override
    AssemblyResult attempt(String ptx, String target, Duration limit) {
        LinkedChild<AssemblerRequest, AssemblerReply> live;
        try {
            live = live();
        } catch (IOException unusable) {
            return new AssemblyResult.Broken(id().name() + ": " + unusable.getMessage());
        }
        return switch (live.ask(new AssemblerRequest(ptx, target), limit)) {
            case Answer.Message<AssemblerReply>(AssemblerReply reply) -> result(reply);
            case Answer.Overdue<AssemblerReply> overdue -> {
                child = null;
                yield new AssemblyResult.Overdue(limit);
            }
            case Answer.Gone<AssemblerReply>(var status, String stderr) -> {
                child = null;
                String words = (id().name() + " ended with " + status + " at this text\n" + stderr).strip();
                yield status.isKilledFromOutside()
                        ? new AssemblyResult.Broken(words)
                        : new AssemblyResult.Refused(words);
            }
        };
    }

    private LinkedChild<AssemblerRequest, AssemblerReply> live() throws IOException {
        LinkedChild<AssemblerRequest, AssemblerReply> current = child;
        if (current == null) {
            current = startChild(command, scratch).child();
            child = current;
        }
        return current;
    }

    private static AssemblyResult result(AssemblerReply reply) {
        return switch (reply) {
            case AssemblerReply.Assembled(var cubin, String log) -> new PtxasLog(log).with(cubin.bytes());
            case AssemblerReply.Refused(String log) -> new AssemblyResult.Refused(log.strip());
            case AssemblerReply.Unsupported(String reason) -> new AssemblyResult.Unsupported(reason.strip());
            case AssemblerReply.Ready _, AssemblerReply.Unusable _ ->
                new AssemblyResult.Broken("the assembler child sent an answer that was not asked for: " + reply);
        };
    }

    @Override
    public void close() {
        LinkedChild<AssemblerRequest, AssemblerReply> last = child;
        if (last != null) {
            last.close();
            child = null;
        }
        scratch.close();
    }
}
