package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of busy SMs as users write them: {@code 0,8,20}, or {@code FROM-TO/STEP} such as {@code 0-32/4}. */
final class BusySms {

    static final String OPTION = "--busy-sms";
    static final String FORM = "numbers such as 0,8,20, or FROM-TO/STEP such as 0-32/4";

    private static final Pattern PART = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6})(?:/(\\d{1,6}))?)?");

    /** As many as anybody looks at. */
    private static final int MOST = 64;

    private BusySms() {}

    /**
     * The numbers in their order.
     *
     * @throws CommandFailedException naming what is wrong
     */
    static List<Integer> parse(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part.strip());
            if (!matcher.matches()) {
                throw CommandFailedException.usage(OPTION + ": must be " + FORM + ", got '" + text + "'");
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
            if (to < from || step < 1) {
                throw CommandFailedException.usage(
                        OPTION + ": a range goes up in steps of 1 at the least, got '" + part.strip() + "'");
            }
            for (int number = from; number <= to && numbers.size() <= MOST; number += step) {
                numbers.add(number);
            }
        }
        if (numbers.size() > MOST) {
            throw CommandFailedException.usage(OPTION + ": must be at most " + MOST + " numbers, got '" + text + "'");
        }
        return numbers;
    }

    /**
     * The same as scenarios. How many SMs there are is known of models and the emulator; the service knows its GPUs.
     */
    static List<Scenario> scenarios(String text, DeviceSelector selector) {
        int sms = switch (selector) {
            case DeviceSelector.Simulated(String gpu) ->
                SimulatedGpus.named(gpu).topology().smCount();
            case DeviceSelector.Emulated(int count) -> count;
            case DeviceSelector.Auto _, DeviceSelector.AllCuda _, DeviceSelector.Cuda _ -> Integer.MAX_VALUE;
        };
        return Syntax.scenarios(OPTION, parse(text), sms);
    }
}
