# A stand-in for an engine that speaks UCI, good or bad by its first argument. From the usual start it
# moves White's elephant or Black's rat to and fro, which draws by repetition.
mode=$1
moves=0
asked=0
while read -r word rest; do
    case $word in
    uci)
        [ "$mode" = mute ] && sleep 1000
        echo "id name stand-in"
        echo "option name Rules type string default standard"
        echo "option name Hash type spin default 16"
        echo uciok
        ;;
    setoption) [ -n "$2" ] && echo "$rest" >>"$2" ;;
    isready) echo readyok ;;
    position)
        case $rest in
        *moves*) moves=$(set -- ${rest#*moves}; echo $#) ;;
        *) moves=0 ;;
        esac
        ;;
    go)
        asked=$((asked + 1))
        echo "info depth $asked score cp 12 nodes 77 pv a3a4"
        case $mode:$asked in
        hang:3) sleep 1000 ;;
        exit:3) exit 7 ;;
        close:3) exec >&-; sleep 1000 ;;
        illegal:3) echo "bestmove a1a9" ;;
        nonsense:3) echo "bestmove" ;;
        flood:3) while :; do echo "info string still thinking"; done ;;
        *)
            case $((moves % 4)) in
            0) echo "bestmove a3a4" ;;
            1) echo "bestmove a7a6" ;;
            2) echo "bestmove a4a3" ;;
            3) echo "bestmove a6a7" ;;
            esac
            ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
