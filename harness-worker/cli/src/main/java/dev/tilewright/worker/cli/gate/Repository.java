package dev.tilewright.worker.cli.gate;

import dev.tilewright.worker.cli.gate.file.BaselineEntry;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The repository of the user, as far as a gate looks at it.
 *
 * @param isChanged whether files that git knows are not as they were committed
 * @param prefix of the folder of {@code tilewright.yaml} below it: empty, or with a slash behind it
 */
record Repository(Git git, boolean isChanged, String prefix) {

    /** The repository around a folder; empty if there is none. */
    static Optional<Repository> of(Path folder) throws InterruptedException {
        Git git = new Git(folder.toAbsolutePath());
        if (git.ask("rev-parse", "--show-toplevel").isEmpty()) {
            return Optional.empty();
        }
        Optional<String> changes = git.ask("status", "--porcelain", "--untracked-files=no");
        return Optional.of(new Repository(
                git,
                changes.filter(String::isEmpty).isEmpty(),
                git.ask("rev-parse", "--show-prefix").orElse("")));
    }

    /** The commit that is checked out; empty if there is none yet. */
    Optional<String> head() throws InterruptedException {
        return git.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
    }

    /** The branch that is checked out; empty if a commit alone is. */
    Optional<String> branch() throws InterruptedException {
        return git.ask("symbolic-ref", "--short", "--quiet", "HEAD");
    }

    /** The branch that others are merged into: what the remote says, else main or master, else what is checked out. */
    Optional<String> usualBranch() throws InterruptedException {
        Optional<String> remote = git.ask("symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD");
        if (remote.isPresent()) {
            return remote.map(name -> name.substring(name.indexOf('/') + 1));
        }
        for (String name : List.of("main", "master")) {
            if (git.ask("rev-parse", "--verify", "--quiet", "refs/heads/" + name)
                    .isPresent()) {
                return Optional.of(name);
            }
        }
        return branch();
    }

    /** A file of another commit, from the folder of {@code tilewright.yaml}; empty if it has none. */
    Optional<String> file(String commit, String path) throws InterruptedException {
        return git.ask("show", commit + ":" + prefix + path);
    }

    /**
     * The commit that a baseline means.
     *
     * @throws CommandFailedException if there is none
     */
    String commit(BaselineEntry.OfCommit baseline) throws InterruptedException {
        return switch (baseline) {
            case BaselineEntry.Branch(String name) -> whereLeft(name);
            case BaselineEntry.Tag(String name) -> resolved("refs/tags/" + name, "tag '" + name + "'");
            case BaselineEntry.Commit(String hash) -> resolved(hash, "commit " + hash);
        };
    }

    private String resolved(String reference, String shown) throws InterruptedException {
        return git.ask("rev-parse", "--verify", "--quiet", reference + "^{commit}")
                .orElseThrow(() -> unknown(shown));
    }

    /**
     * Where the branch was left, so that what others have merged since is no difference. On the branch itself, that is
     * the commit before, unless there are changes to compare with its last one.
     */
    private String whereLeft(String branch) throws InterruptedException {
        String tip = null;
        for (String prefix : Stream.of("refs/remotes/origin/", "refs/heads/").toList()) {
            if (tip == null) {
                tip = git.ask("rev-parse", "--verify", "--quiet", prefix + branch + "^{commit}")
                        .orElse(null);
            }
        }
        if (tip == null) {
            throw unknown(
                    "branch '" + branch + "'",
                    usualBranch()
                            .filter(usual -> !usual.equals(branch))
                            .map(usual -> "; did you mean '" + usual + "'?")
                            .orElse(""));
        }
        String head = head().orElseThrow(() -> unknown("HEAD"));
        String left = git.ask("merge-base", "HEAD", tip)
                .orElseThrow(() -> CommandFailedException.usage(
                        "baseline: HEAD and branch '" + branch + "' have no commit in common here; a checkout for a"
                                + " gate needs its history (fetch-depth: 0)"));
        if (!left.equals(head) || isChanged) {
            return left;
        }
        return git.ask("rev-parse", "--verify", "--quiet", "HEAD^1^{commit}").orElse(left);
    }

    private static CommandFailedException unknown(String what) {
        return unknown(what, "");
    }

    /** @param near what else may have been meant, as the end of a sentence; or nothing */
    private static CommandFailedException unknown(String what, String near) {
        return CommandFailedException.usage("baseline: git does not know " + what + " here; a checkout for a gate needs"
                + " its history (fetch-depth: 0)" + near);
    }
}
