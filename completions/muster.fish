# fish completion for muster; made from its own help
complete -c muster -n __fish_use_subcommand -f
complete -c muster -n __fish_use_subcommand -f -a run -d 'run one app on one input in one variant, check the result, print the times'
complete -c muster -n '__fish_seen_subcommand_from run' -l atomics -r -f -a 'c11 ptx fences'
complete -c muster -n '__fish_seen_subcommand_from run' -l barrier -r -f -a 'auto counter tree xf split'
complete -c muster -n '__fish_seen_subcommand_from run' -l batch -r
complete -c muster -n '__fish_seen_subcommand_from run' -l block -r
complete -c muster -n '__fish_seen_subcommand_from run' -l cavity -r
complete -c muster -n '__fish_seen_subcommand_from run' -l chunk -r
complete -c muster -n '__fish_seen_subcommand_from run' -l cl-std -r -f -a 'CL1.2 CL2.0 CL3.0'
complete -c muster -n '__fish_seen_subcommand_from run' -l condition -r
complete -c muster -n '__fish_seen_subcommand_from run' -l deadline -r
complete -c muster -n '__fish_seen_subcommand_from run' -l delta -r
complete -c muster -n '__fish_seen_subcommand_from run' -l device -r
complete -c muster -n '__fish_seen_subcommand_from run' -l expected -r
complete -c muster -n '__fish_seen_subcommand_from run' -l grid -r
complete -c muster -n '__fish_seen_subcommand_from run' -l groups -r
complete -c muster -n '__fish_seen_subcommand_from run' -l help
complete -c muster -n '__fish_seen_subcommand_from run' -l ids -r
complete -c muster -n '__fish_seen_subcommand_from run' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from run' -l json
complete -c muster -n '__fish_seen_subcommand_from run' -l kernel-dir -r
complete -c muster -n '__fish_seen_subcommand_from run' -l long-degree -r
complete -c muster -n '__fish_seen_subcommand_from run' -l min-angle -r
complete -c muster -n '__fish_seen_subcommand_from run' -l no-cache
complete -c muster -n '__fish_seen_subcommand_from run' -l no-check
complete -c muster -n '__fish_seen_subcommand_from run' -l output -r
complete -c muster -n '__fish_seen_subcommand_from run' -l own-degree -r
complete -c muster -n '__fish_seen_subcommand_from run' -l patience -r
complete -c muster -n '__fish_seen_subcommand_from run' -l placement -r
complete -c muster -n '__fish_seen_subcommand_from run' -l queue -r
complete -c muster -n '__fish_seen_subcommand_from run' -l readback -r
complete -c muster -n '__fish_seen_subcommand_from run' -l rollcall-delay -r
complete -c muster -n '__fish_seen_subcommand_from run' -l rollcall -r -f -a 'atomic ticket spin ticket-destruct lobe'
complete -c muster -n '__fish_seen_subcommand_from run' -l room -r
complete -c muster -n '__fish_seen_subcommand_from run' -l run -r
complete -c muster -n '__fish_seen_subcommand_from run' -l samples -r
complete -c muster -n '__fish_seen_subcommand_from run' -l seed -r
complete -c muster -n '__fish_seen_subcommand_from run' -l source -r
complete -c muster -n '__fish_seen_subcommand_from run' -l sources -r
complete -c muster -n '__fish_seen_subcommand_from run' -l sparse -r
complete -c muster -n '__fish_seen_subcommand_from run' -l spin-limit -r
complete -c muster -n '__fish_seen_subcommand_from run' -l team -r
complete -c muster -n '__fish_seen_subcommand_from run' -l tree-from -r
complete -c muster -n '__fish_seen_subcommand_from run' -l usage
complete -c muster -n '__fish_seen_subcommand_from run' -l variant -r -f -a 'multi-kernel portable specialised'
complete -c muster -n '__fish_seen_subcommand_from run' -l warmup -r
complete -c muster -n '__fish_seen_subcommand_from run' -l workgroup -r
complete -c muster -n '__fish_seen_subcommand_from run' -l yield-polls -r
complete -c muster -n '__fish_seen_subcommand_from run' -l yield -r -f -a 'none syscall'
complete -c muster -n '__fish_seen_subcommand_from run' -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n __fish_use_subcommand -f -a bench -d 'run a campaign of apps, inputs and variants on a device, ending in a table'
complete -c muster -n '__fish_seen_subcommand_from bench' -l atomics -r -f -a 'c11 ptx fences'
complete -c muster -n '__fish_seen_subcommand_from bench' -l barrier -r -f -a 'auto counter tree xf split'
complete -c muster -n '__fish_seen_subcommand_from bench' -l batch -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l block -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l brief
complete -c muster -n '__fish_seen_subcommand_from bench' -l cavity -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l chunk -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l cl-std -r -f -a 'CL1.2 CL2.0 CL3.0'
complete -c muster -n '__fish_seen_subcommand_from bench' -l color -r -f -a 'auto always never'
complete -c muster -n '__fish_seen_subcommand_from bench' -l condition -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l deadline -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l delta -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l device -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l dry-run
complete -c muster -n '__fish_seen_subcommand_from bench' -l expected -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l grid -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l groups -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l help
complete -c muster -n '__fish_seen_subcommand_from bench' -l ids -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from bench' -l inputs -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l json
complete -c muster -n '__fish_seen_subcommand_from bench' -l junit -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l kernel-dir -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l label -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l long-degree -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l max-samples -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l max-time -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l min-angle -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l min-samples -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l most-repeats -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l no-tune
complete -c muster -n '__fish_seen_subcommand_from bench' -l order-seed -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l own-degree -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l patience -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l placement -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l queue -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l readback -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l repeats -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l restart
complete -c muster -n '__fish_seen_subcommand_from bench' -l retune
complete -c muster -n '__fish_seen_subcommand_from bench' -l rollcall-delay -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l rollcall -r -f -a 'atomic ticket spin ticket-destruct lobe'
complete -c muster -n '__fish_seen_subcommand_from bench' -l room -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l run -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l seed -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l set -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l source -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l sources -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l sparse -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l spin-limit -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l suite -r -f -a 'smoke paper goals full'
complete -c muster -n '__fish_seen_subcommand_from bench' -l sweep -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l target-width -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l team -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l test-width -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l tree-from -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l tune
complete -c muster -n '__fish_seen_subcommand_from bench' -l usage
complete -c muster -n '__fish_seen_subcommand_from bench' -l variants -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l warmup -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l wide
complete -c muster -n '__fish_seen_subcommand_from bench' -l workgroup -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l yield-polls -r
complete -c muster -n '__fish_seen_subcommand_from bench' -l yield -r -f -a 'none syscall'
complete -c muster -n '__fish_seen_subcommand_from bench' -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n __fish_use_subcommand -f -a tune -d 'find the best workgroup size and team of each app, input and variant on a device'
complete -c muster -n '__fish_seen_subcommand_from tune' -l atomics -r -f -a 'c11 ptx fences'
complete -c muster -n '__fish_seen_subcommand_from tune' -l barrier -r -f -a 'auto counter tree xf split'
complete -c muster -n '__fish_seen_subcommand_from tune' -l batch -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l block -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l cavity -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l chunk -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l cl-std -r -f -a 'CL1.2 CL2.0 CL3.0'
complete -c muster -n '__fish_seen_subcommand_from tune' -l color -r -f -a 'auto always never'
complete -c muster -n '__fish_seen_subcommand_from tune' -l condition -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l deadline -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l delta -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l device -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l expected -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l grid -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l groups -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l help
complete -c muster -n '__fish_seen_subcommand_from tune' -l ids -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from tune' -l inputs -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l json
complete -c muster -n '__fish_seen_subcommand_from tune' -l kernel-dir -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l long-degree -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l min-angle -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l own-degree -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l patience -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l placement -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l queue -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l readback -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l retune
complete -c muster -n '__fish_seen_subcommand_from tune' -l rollcall-delay -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l rollcall -r -f -a 'atomic ticket spin ticket-destruct lobe'
complete -c muster -n '__fish_seen_subcommand_from tune' -l room -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l run -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l seed -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l source -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l sources -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l sparse -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l spin-limit -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l suite -r -f -a 'smoke paper goals full'
complete -c muster -n '__fish_seen_subcommand_from tune' -l sweep -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l team -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l tree-from -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l usage
complete -c muster -n '__fish_seen_subcommand_from tune' -l variants -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l warmup -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l wide
complete -c muster -n '__fish_seen_subcommand_from tune' -l workgroup -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l yield-polls -r
complete -c muster -n '__fish_seen_subcommand_from tune' -l yield -r -f -a 'none syscall'
complete -c muster -n '__fish_seen_subcommand_from tune' -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n __fish_use_subcommand -f -a results -d 'list, filter and export the runs that are kept'
complete -c muster -n '__fish_seen_subcommand_from results' -l app -r -f -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n '__fish_seen_subcommand_from results' -l chip -r
complete -c muster -n '__fish_seen_subcommand_from results' -l color -r -f -a 'auto always never'
complete -c muster -n '__fish_seen_subcommand_from results' -l format -r -f -a 'text csv markdown latex json cells'
complete -c muster -n '__fish_seen_subcommand_from results' -l help
complete -c muster -n '__fish_seen_subcommand_from results' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from results' -l json
complete -c muster -n '__fish_seen_subcommand_from results' -l kind -r
complete -c muster -n '__fish_seen_subcommand_from results' -l label -r
complete -c muster -n '__fish_seen_subcommand_from results' -l outcome -r
complete -c muster -n '__fish_seen_subcommand_from results' -l usage
complete -c muster -n '__fish_seen_subcommand_from results' -l variant -r -f -a 'multi-kernel portable specialised'
complete -c muster -n '__fish_seen_subcommand_from results' -l wide
complete -c muster -n __fish_use_subcommand -f -a probe -d 'measure what a chip can do and keep it as its profile'
complete -c muster -n '__fish_seen_subcommand_from probe' -l app -r -f -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n '__fish_seen_subcommand_from probe' -l device -r
complete -c muster -n '__fish_seen_subcommand_from probe' -l help
complete -c muster -n '__fish_seen_subcommand_from probe' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from probe' -l json
complete -c muster -n '__fish_seen_subcommand_from probe' -l keys
complete -c muster -n '__fish_seen_subcommand_from probe' -l quick
complete -c muster -n '__fish_seen_subcommand_from probe' -l restart
complete -c muster -n '__fish_seen_subcommand_from probe' -l usage
complete -c muster -n '__fish_seen_subcommand_from probe' -l workgroup -r
complete -c muster -n __fish_use_subcommand -f -a devices -d 'list the OpenCL devices, what they can do and whether they are trusted'
complete -c muster -n '__fish_seen_subcommand_from devices' -l help
complete -c muster -n '__fish_seen_subcommand_from devices' -l json
complete -c muster -n '__fish_seen_subcommand_from devices' -l no-cache
complete -c muster -n '__fish_seen_subcommand_from devices' -l usage
complete -c muster -n __fish_use_subcommand -f -a list -d 'list apps, variants, roll calls, barriers, atomics paths, suites and generators'
complete -c muster -n '__fish_seen_subcommand_from list' -l help
complete -c muster -n '__fish_seen_subcommand_from list' -l json
complete -c muster -n '__fish_seen_subcommand_from list' -l usage
complete -c muster -n '__fish_seen_subcommand_from list' -a 'apps variants rollcalls barriers atomics yields suites generators'
complete -c muster -n __fish_use_subcommand -f -a graph -d 'describe an input graph, or convert it to another format'
complete -c muster -n '__fish_seen_subcommand_from graph' -l convert -r
complete -c muster -n '__fish_seen_subcommand_from graph' -l format -r -f -a 'text csv markdown latex json cells'
complete -c muster -n '__fish_seen_subcommand_from graph' -l help
complete -c muster -n '__fish_seen_subcommand_from graph' -l json
complete -c muster -n '__fish_seen_subcommand_from graph' -l lossy
complete -c muster -n '__fish_seen_subcommand_from graph' -l seed -r
complete -c muster -n '__fish_seen_subcommand_from graph' -l usage
complete -c muster -n __fish_use_subcommand -f -a table -d 'print a table of results as text, CSV, Markdown or LaTeX'
complete -c muster -n '__fish_seen_subcommand_from table' -l app -r -f -a 'lonestar/bfs lonestar/dmr lonestar/mst lonestar/sssp pannotia/bc pannotia/color pannotia/mis pannotia/sssp bc bfs color dmr mis mst'
complete -c muster -n '__fish_seen_subcommand_from table' -l chip -r
complete -c muster -n '__fish_seen_subcommand_from table' -l color -r -f -a 'auto always never'
complete -c muster -n '__fish_seen_subcommand_from table' -l format -r -f -a 'text csv markdown latex json cells'
complete -c muster -n '__fish_seen_subcommand_from table' -l help
complete -c muster -n '__fish_seen_subcommand_from table' -l input -r -f -a 'grid2d: road: rmat: uniform: traps: mesh: meshgrid:'
complete -c muster -n '__fish_seen_subcommand_from table' -l json
complete -c muster -n '__fish_seen_subcommand_from table' -l paper
complete -c muster -n '__fish_seen_subcommand_from table' -l usage
complete -c muster -n '__fish_seen_subcommand_from table' -l variant -r -f -a 'multi-kernel portable specialised'
complete -c muster -n '__fish_seen_subcommand_from table' -l wide
complete -c muster -n '__fish_seen_subcommand_from table' -a 'summary speedup slowdown times history headline tuning outcomes failures advice samples provenance occupancy recall patience delay rollcall-cost barrier-cost launch-cost utilisation features progress'
complete -c muster -n __fish_use_subcommand -f -a report -d 'make one HTML page of all tables and plots of your results'
complete -c muster -n '__fish_seen_subcommand_from report' -l help
complete -c muster -n '__fish_seen_subcommand_from report' -l output -r
complete -c muster -n '__fish_seen_subcommand_from report' -l results -r
complete -c muster -n '__fish_seen_subcommand_from report' -l usage
complete -c muster -n __fish_use_subcommand -f -a compare -d 'compare two result sets, test by test; exit code 1 for regressions'
complete -c muster -n '__fish_seen_subcommand_from compare' -l color -r -f -a 'auto always never'
complete -c muster -n '__fish_seen_subcommand_from compare' -l format -r -f -a 'text csv markdown latex json cells'
complete -c muster -n '__fish_seen_subcommand_from compare' -l help
complete -c muster -n '__fish_seen_subcommand_from compare' -l json
complete -c muster -n '__fish_seen_subcommand_from compare' -l junit -r
complete -c muster -n '__fish_seen_subcommand_from compare' -l margin -r
complete -c muster -n '__fish_seen_subcommand_from compare' -l session-effect -r
complete -c muster -n '__fish_seen_subcommand_from compare' -l usage
complete -c muster -n '__fish_seen_subcommand_from compare' -l wide
