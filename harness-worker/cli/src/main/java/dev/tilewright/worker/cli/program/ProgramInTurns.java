package dev.tilewright.worker.cli.program;

import dev.tilewright.worker.link.process.LoggedProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A Python program that waits between its steps; {@code tilewright_turns.py} is the other end of the line. */
final class ProgramInTurns implements Arm, AutoCloseable {

    /** In place of the name and the UUID of a GPU. */
    static final String NO_GPU = "none";

    private static final String ENDED = "the line has ended";
    private static final Duration LOOKS_EVERY = Duration.ofMillis(20);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

    private final String name;
    private final LoggedProgram program;
    private final SocketChannel channel;
    private final OutputStream out;
    private final Duration patience;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(16);
    private String pack = "none";
    private String gpu = NO_GPU;
    private String uuid = NO_GPU;
    private int asked;

    private ProgramInTurns(String name, LoggedProgram program, SocketChannel channel, Duration patience) {
        this.name = name;
        this.program = program;
        this.channel = channel;
        this.out = Channels.newOutputStream(channel);
        this.patience = patience;
        Thread.ofPlatform().daemon().name("reads the program " + name).start(this::read);
    }

    /**
     * Starts a program and waits for the end of its first step.
     *
     * @param folder for its socket and what it prints
     * @param environment beside that of this process
     * @param patience for a turn, and for the first step
     * @throws ProgramFault if it cannot be started, ends, or takes no step in time
     */
    static ProgramInTurns start(
            ComparedProgram compared, Path folder, Map<String, String> environment, Duration patience)
            throws IOException, InterruptedException {
        String name = compared.name();
        String file = name.replace(' ', '-');
        Path socket = folder.resolve(file + ".turns");
        Map<String, String> whole = new HashMap<>(environment);
        whole.put("TILEWRIGHT_TURNS", socket.toString());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            server.configureBlocking(false);
            LoggedProgram program = started(compared, whole, folder.resolve(file + ".log"));
            try {
                ProgramInTurns started =
                        new ProgramInTurns(name, program, accepted(name, server, program, patience), patience);
                started.answer();
                return started;
            } catch (IOException | InterruptedException failed) {
                program.close();
                throw failed;
            }
        }
    }

    private static LoggedProgram started(ComparedProgram compared, Map<String, String> environment, Path log)
            throws ProgramFault {
        try {
            return LoggedProgram.start(compared.command(), environment, compared.folder(), log);
        } catch (IOException absent) {
            throw new ProgramFault(
                    ProgramFault.Kind.BROKEN,
                    compared.name(),
                    0,
                    String.valueOf(absent.getMessage()),
                    Optional.empty());
        }
    }

    private static SocketChannel accepted(
            String name, ServerSocketChannel server, LoggedProgram program, Duration patience)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            // The exit code is taken first: a program that has ended may have connected before.
            OptionalInt exit = program.exit(LOOKS_EVERY);
            SocketChannel channel = server.accept();
            if (channel != null) {
                channel.configureBlocking(true);
                return channel;
            }
            if (exit.isPresent() && program.endsWithUs()) {
                throw new InterruptedException("this process is ending");
            }
            if (exit.isPresent()) {
                throw new ProgramFault(
                        ProgramFault.Kind.BROKEN,
                        name,
                        0,
                        "the program " + name + " ended with " + exit.getAsInt() + " before it imported torch",
                        program.lastLines());
            }
            if (System.nanoTime() > end) {
                throw new ProgramFault(
                        ProgramFault.Kind.BROKEN,
                        name,
                        0,
                        "the program " + name + " did not import torch within " + patience.toSeconds() + " s",
                        program.lastLines());
            }
        }
    }

    private void read() {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.put(line);
            }
        } catch (IOException closed) {
            // The next line says that there is none.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        lines.offer(ENDED);
    }

    @Override
    public double run(Turn turn) throws IOException, InterruptedException {
        asked += turn.steps();
        try {
            String core = turn.core().isPresent() ? String.valueOf(turn.core().getAsInt()) : "any";
            out.write(String.format(Locale.ROOT, "run %d %.3f %s\n", turn.steps(), turn.slowedPercent(), core)
                    .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            lines.offer(ENDED);
        }
        return answer();
    }

    /** The nanoseconds of the turn. */
    private double answer() throws IOException, InterruptedException {
        String line = lines.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new ProgramFault(
                    ProgramFault.Kind.BROKEN,
                    name,
                    asked,
                    "the program " + name + " ended no step within " + patience.toSeconds() + " s",
                    program.lastLines());
        }
        String[] words = line.split(" ", 6);
        if (words.length != 6 || !words[0].equals("ended")) {
            OptionalInt exit = program.exit(ENDS_WITHIN);
            if (program.endsWithUs()) {
                throw new InterruptedException("this process is ending");
            }
            boolean well = exit.equals(OptionalInt.of(0));
            throw new ProgramFault(
                    well ? ProgramFault.Kind.TOO_SHORT : ProgramFault.Kind.BROKEN,
                    name,
                    asked,
                    "the program " + name
                            + (exit.isEmpty() ? " takes no turns any more" : " ended with " + exit.getAsInt())
                            + (well ? " before enough of its steps were timed: let it run longer" : ""),
                    program.lastLines());
        }
        pack = words[3];
        uuid = words[4];
        gpu = words[5];
        return Double.parseDouble(words[2]);
    }

    /** The hash of the pack that serves; {@code none} if none does. */
    String pack() {
        return pack;
    }

    /** The name of the GPU that it uses; {@link #NO_GPU} if it uses none. */
    String gpu() {
        return gpu;
    }

    /** The UUID of the GPU, as NVML writes it; {@link #NO_GPU} if it is not known. */
    String uuid() {
        return uuid;
    }

    /** The last lines that it printed; empty if they cannot be read. */
    Optional<List<String>> lastLines() {
        return program.lastLines();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        program.close();
    }
}
