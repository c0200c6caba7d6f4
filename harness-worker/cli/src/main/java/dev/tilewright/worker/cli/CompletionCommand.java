package dev.tilewright.worker.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: what a shell reads to complete verbs, options and names. */
@Command(
        name = "completion",
        description = "Print a script that completes verbs, options and names in bash and zsh.",
        footer = {"", "In ~/.bashrc: source <(tilewright completion)"})
public final class CompletionCommand implements Callable<Integer> {

    /** Verbs of the launcher that are none of this program. */
    public static final List<String> OTHERS = List.of("serve", "backup", "restore", "test", "dist", "version");

    /** Names of devices have colons, at which bash would break words. */
    private static final String WORDS = "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Printer out;

    /** @param out the script */
    public CompletionCommand(Printer out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        ServiceVerbs service = ServiceVerbs.read();
        OTHERS.forEach(verb -> root.addSubcommand(verb, service.spec(verb)));
        out.verbatim(AutoComplete.bash("tilewright", root));
        out.copy(WORDS);
        return 0;
    }
}
