package dev.tilewright.api.web.worker;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.DeviceOffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Who works here. */
@Controller
record WorkerPages(WorkerPageRepository workers, ServiceSettings settings, Clock clock) {

    private static final int MOST = 200;

    /** A device as the page shows it. */
    record Row(
            String host,
            String device,
            String kind,
            String model,
            List<String> deals,
            String state,
            String leases,
            String seen,
            String measured,
            String clock,
            String power,
            String temperature) {}

    @GetMapping("/workers")
    String workers(Model model) {
        model.addAttribute("rows", rows());
        return "workers";
    }

    @GetMapping("/workers/list")
    String workersAlone(Model model) {
        model.addAttribute("rows", rows());
        return "workers :: list";
    }

    private List<Row> rows() {
        Instant since = clock.instant().minus(settings.leaseTtl());
        return workers.devices(MOST).stream().map(device -> row(device, since)).toList();
    }

    /** Such as {@code of 2: 8 GPCs × 8, then 2 × 1}. */
    private static String deal(DeviceOffer.Deal deal) {
        return "of " + deal.clusterSize() + ": "
                + (deal.rounds() == 0
                        ? "no pattern"
                        : (deal.first() == 0 ? "" : deal.first() + " first, ") + deal.gpcs() + " GPCs × "
                                + deal.rounds()
                                + (deal.laterRounds() == 0
                                        ? ""
                                        : ", then " + deal.laterGpcs() + " × " + deal.laterRounds()));
    }

    private static Row row(WorkerPageRepository.Device device, Instant since) {
        boolean alive = !device.seenAt().isBefore(since);
        return new Row(
                device.host() + ", process " + device.pid(),
                Objects.requireNonNullElse(device.device(), "no device"),
                Objects.requireNonNullElse(device.kind(), Figures.NONE),
                device.model() == null
                        ? Figures.NONE
                        : device.model() + ", " + device.driver() + ", " + device.assembler() + ", " + device.smCount()
                                + " SMs",
                device.deals() == null
                        ? List.of()
                        : device.deals().stream().map(WorkerPages::deal).toList(),
                !alive ? "gone" : device.leases() > 0 ? "working" : "idle",
                Figures.count(device.leases(), "lease"),
                Figures.moment(device.seenAt()),
                Figures.moment(device.measuredAt()),
                Figures.megahertz(device.clockMhz()),
                Figures.watts(device.powerWatts()),
                Figures.celsius(device.celsius()));
    }
}
